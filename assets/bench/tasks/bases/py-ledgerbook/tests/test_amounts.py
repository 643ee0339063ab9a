import unittest
from decimal import Decimal

from ledgerbook.amounts import Amount, Balance, decimals_of, round_half_up, total
from ledgerbook.commodities import CommodityTable, Style, grouped


def eur(quantity):
    return Amount.of(quantity, "EUR")


class Amounts(unittest.TestCase):
    def test_sums_of_one_commodity(self):
        self.assertEqual(eur("1.10") + eur("2.20"), eur("3.30"))
        self.assertEqual(eur(1) - eur(3), -eur(2))

    def test_commodities_do_not_mix(self):
        with self.assertRaises(ValueError):
            eur(1) + Amount.of(1, "USD")

    def test_halves_go_away_from_zero(self):
        self.assertEqual(round_half_up(Decimal("0.125"), 2), Decimal("0.13"))
        self.assertEqual(round_half_up(Decimal("-0.125"), 2), Decimal("-0.13"))

    def test_decimals(self):
        self.assertEqual(decimals_of(Decimal("1.50")), 2)
        self.assertEqual(decimals_of(Decimal("1E+2")), 0)


class Balances(unittest.TestCase):
    def test_what_cancels_out_is_gone(self):
        balance = Balance.of(eur(5), Amount.of(2, "USD"), eur(-5))
        self.assertEqual(balance.commodities(), ["USD"])

    def test_operators_leave_their_operands_alone(self):
        first = Balance.of(eur(5))
        second = first + eur(2)
        second.add(eur(1))
        self.assertEqual(first, Balance.of(eur(5)))
        self.assertEqual(second, Balance.of(eur(8)))
        self.assertEqual(first - second, Balance.of(eur(-3)))

    def test_total(self):
        self.assertEqual(total([eur(1), Balance.of(eur(2), Amount.of(1, "USD"))]).quantity("EUR"), 3)

    def test_dust(self):
        balance = Balance.of(eur("0.004"), Amount.of("0.004", "BTC"))
        self.assertEqual(balance.without_dust({"EUR": 2}).commodities(), ["BTC"])


class Looks(unittest.TestCase):
    def setUp(self):
        self.table = CommodityTable()

    def test_declared_look(self):
        self.table.declare("EUR", Style(2, ".", ",", before=False, space=True))
        self.table.saw("EUR", Style(4, ".", "", before=True, space=False))
        self.assertEqual(self.table.format(eur("-1234.5")), "-1,234.50 EUR")

    def test_longest_decimals_win(self):
        self.table.saw("$", Style(0, ".", "", before=True, space=False))
        self.table.saw("$", Style(2, ".", "", before=False, space=True))
        self.assertEqual(self.table.format(Amount.of("-3", "$")), "-$3.00")

    def test_exact_has_all_digits(self):
        self.table.saw("EUR", Style(2))
        self.assertEqual(self.table.format_exact(eur("1.23456")), "1.23456 EUR")
        self.assertEqual(self.table.format(eur("1.23456")), "1.23 EUR")

    def test_nothing_below_zero_stays(self):
        self.table.saw("EUR", Style(2))
        self.assertEqual(self.table.format(eur("-0.001")), "0.00 EUR")

    def test_quotes(self):
        self.table.saw("ACME 2", Style(0))
        self.assertEqual(self.table.format(Amount.of(3, "ACME 2")), '3 "ACME 2"')

    def test_empty_balance(self):
        self.assertEqual(self.table.format_balance(Balance()), ["0"])

    def test_groups(self):
        self.assertEqual([grouped(digits, "'") for digits in ("1", "123", "1234", "1234567")], ["1", "123", "1'234", "1'234'567"])
