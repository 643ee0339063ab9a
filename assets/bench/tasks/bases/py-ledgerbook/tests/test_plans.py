"""Budgets and what comes again."""

import unittest
from datetime import date
from decimal import Decimal

from ledgerbook import budget
from ledgerbook.balances import select
from ledgerbook.parser import parse_text
from ledgerbook.periods import Period
from ledgerbook.recurring import forecast, occurrences
from ledgerbook.session import session_of

RENT = "~ monthly from 2024-01-31 to 2024-05-01  Landlord\n    Expenses:Rent  700 EUR\n    Assets:Bank\n"
MARCH = Period(date(2024, 3, 1), date(2024, 4, 1))


class Recurring(unittest.TestCase):
    def test_end_of_the_month(self):
        rule = parse_text(RENT).rules[0]
        days = [day.isoformat() for day in occurrences(rule, date(2025, 1, 1))]
        self.assertEqual(days, ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"])

    def test_only_after_what_is_written(self):
        text = RENT + "\n2024-02-29 Landlord\n    Expenses:Rent  700 EUR\n    Assets:Bank\n"
        coming = forecast(session_of(text).journal, date(2024, 4, 30))
        self.assertEqual([transaction.date.isoformat() for transaction in coming], ["2024-03-31"])
        self.assertTrue(coming[0].generated)


class Budgets(unittest.TestCase):
    def setUp(self):
        text = (
            "budget Expenses:Food  310 EUR monthly\nbudget Expenses:Fun  10 EUR weekly from 2024-03-04\n"
            "2024-03-02 x\n  Expenses:Food:Out  100 EUR\n  Expenses:Car  20 EUR\n  Assets:Cash\n"
        )
        self.journal = session_of(text).journal

    def rows(self, period):
        items = select(self.journal, None, period)
        return {row.account: row for row in budget.rows(self.journal, items, period)}

    def test_whole_month(self):
        row = self.rows(MARCH)["Expenses:Food"]
        self.assertEqual((row.planned.quantity, row.actual.quantity), (310, 100))
        self.assertEqual((row.left().quantity, row.percent()), (210, 32))

    def test_parts_count_by_days(self):
        part = Period(date(2024, 3, 1), date(2024, 3, 11))
        self.assertEqual(self.rows(part)["Expenses:Food"].planned.quantity, 100)
        weekly = self.journal.budget[1]
        self.assertEqual(budget.share_of(weekly, part), 1)
        self.assertEqual(budget.share_of(weekly, MARCH), 4)

    def test_without_a_budget(self):
        items = select(self.journal, None, MARCH)
        self.assertEqual(budget.unbudgeted(self.journal, items, MARCH).quantity("EUR"), 20)

    def test_on_track(self):
        row = self.rows(MARCH)["Expenses:Food"]
        self.assertFalse(budget.on_track(row, MARCH, date(2024, 3, 9)))
        self.assertTrue(budget.on_track(row, MARCH, date(2024, 3, 10)))
        self.assertTrue(budget.on_track(row, MARCH, date(2024, 6, 1)))
        self.assertEqual(row.planned.quantity * Decimal(10) / 31, 100)
