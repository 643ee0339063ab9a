import unittest
from datetime import date
from decimal import Decimal

from ledgerbook.amounts import Amount, Balance
from ledgerbook.errors import NoPriceError
from ledgerbook.model import PriceEntry
from ledgerbook.parser import parse_text
from ledgerbook.prices import PriceBook


def entry(day, commodity, quantity, target="EUR"):
    return PriceEntry(date.fromisoformat(day), commodity, Amount.of(quantity, target))


class Prices(unittest.TestCase):
    def setUp(self):
        self.book = PriceBook(
            [entry("2024-03-01", "ACME", 30), entry("2024-01-01", "ACME", 20), entry("2024-01-01", "EUR", 2, "USD")]
        )

    def rate(self, commodity, target, day):
        return self.book.rate(commodity, target, date.fromisoformat(day))

    def test_last_price_up_to_the_day(self):
        self.assertEqual(self.rate("ACME", "EUR", "2024-02-29"), 20)
        self.assertEqual(self.rate("ACME", "EUR", "2024-03-01"), 30)
        self.assertEqual(self.rate("ACME", "EUR", "2023-01-01"), 20)

    def test_turned_round_and_in_steps(self):
        self.assertEqual(self.rate("USD", "EUR", "2024-02-01"), Decimal("0.5"))
        self.assertEqual(self.rate("ACME", "USD", "2024-02-01"), 40)

    def test_last_one_of_a_day(self):
        self.book.add(entry("2024-03-01", "ACME", 31))
        self.assertEqual(self.rate("ACME", "EUR", "2024-03-02"), 31)
        self.assertEqual(len(self.book.history()), 3)

    def test_without_a_price(self):
        with self.assertRaises(NoPriceError):
            self.book.convert(Amount.of(1, "GOLD"), "EUR", date(2024, 1, 1))
        balance = Balance.of(Amount.of(1, "GOLD"), Amount.of(2, "ACME"))
        converted = self.book.convert_balance(balance, "EUR", date(2024, 1, 1))
        self.assertEqual(converted, Balance.of(Amount.of(1, "GOLD"), Amount.of(40, "EUR")))

    def test_what_was_paid(self):
        text = "price 2024-01-02 ACME 9 EUR\n2024-01-02 x\n  A  2 ACME @ total 20 EUR\n  B\n2024-01-03 x\n  A  2 ACME @ 11 EUR\n  B\n"
        book = PriceBook.of(parse_text(text))
        self.assertEqual([book.rate("ACME", "EUR", date(2024, 1, day)) for day in (2, 3)], [9, 11])
