import unittest

from ledgerbook.amounts import Amount
from ledgerbook.assertions import check_assertions
from ledgerbook.balancing import balance_journal
from ledgerbook.errors import AssertionFailed, UnbalancedError
from ledgerbook.parser import parse_text


def balanced(*postings):
    journal = parse_text("2024-01-01 x\n" + "".join(f"  {line}\n" for line in postings))
    balance_journal(journal)
    return [(posting.account, posting.amount) for posting in journal.transactions[0].postings]


class Balancing(unittest.TestCase):
    def test_missing_amount(self):
        self.assertEqual(balanced("A  1.50 EUR", "B  2 EUR", "C")[2], ("C", Amount.of("-3.50", "EUR")))

    def test_one_for_each_commodity(self):
        found = balanced("A  1 EUR", "B  2 USD", "C")
        self.assertEqual(found[2:], [("C", Amount.of(-1, "EUR")), ("C", Amount.of(-2, "USD"))])

    def test_costs_count(self):
        self.assertEqual(balanced("A  3 ACME @ 7 EUR", "B")[1], ("B", Amount.of(-21, "EUR")))

    def test_dust_is_no_fault(self):
        balanced("A  3 ACME @ total 10.00 EUR", "B  -10.00 EUR")
        balanced("A  3 ACME @ 3.333 EUR", "B  -9.999 EUR")

    def test_exchange_without_a_cost(self):
        balanced("A  10 USD", "B  -9 EUR")
        with self.assertRaises(UnbalancedError):
            balanced("A  10 USD", "B  9 EUR")

    def test_off(self):
        with self.assertRaises(UnbalancedError) as caught:
            balanced("A  10.00 EUR", "B  -9.99 EUR")
        self.assertIn("off by 0.01 EUR", str(caught.exception))


class Assertions(unittest.TestCase):
    def check(self, text):
        journal = parse_text(text)
        balance_journal(journal)
        return check_assertions(journal)

    def test_by_date(self):
        text = "2024-02-01 x\n  A  5 EUR = 8 EUR\n  B\n2024-01-01 x\n  A  3 EUR = 3 EUR\n  B\n"
        self.assertEqual(self.check(text), 2)

    def test_without_those_below(self):
        with self.assertRaises(AssertionFailed) as caught:
            self.check("2024-01-01 x\n  A:B  3 EUR\n  A  1 EUR = 4 EUR\n  C\n")
        self.assertIn("A holds 1 EUR on 2024-01-01, not 4 EUR (difference -3 EUR)", str(caught.exception))
