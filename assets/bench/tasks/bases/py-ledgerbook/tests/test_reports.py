import unittest
from datetime import date

from ledgerbook.periods import Period
from ledgerbook.query import parse_query
from ledgerbook.reports.balance import balance_report
from ledgerbook.reports.budget import budget_report
from ledgerbook.reports.common import Wanted
from ledgerbook.reports.income import income_report
from ledgerbook.reports.networth import networth_report
from ledgerbook.reports.register import register_report
from ledgerbook.reports.stats import figures
from ledgerbook.reports.trend import trend_report
from ledgerbook.session import session_of
from ledgerbook.table import Column, Table, cut
from tests.samples import SMALL, TODAY, dedented, small

FEBRUARY = Period(date(2024, 2, 1), date(2024, 3, 1))


class BalanceReport(unittest.TestCase):
    def test_tree(self):
        lines = dedented(balance_report(small(), Wanted(query=parse_query(["assets"], TODAY))))
        self.assertEqual(
            lines[2:],
            [
                "7,295.80 EUR Assets",
                "7,300.00 EUR Bank",
                "2,300.00 EUR Giro",
                "5,000.00 EUR Savings",
                "-4.20 EUR Cash",
                "-------------------------",
                "7,295.80 EUR",
            ],
        )

    def test_single_children_share_a_line(self):
        lines = balance_report(small(), Wanted(query=parse_query(["groceries"], TODAY))).text().splitlines()
        self.assertEqual(lines[2], "4.20 EUR  Expenses:Food:Groceries")

    def test_depth(self):
        lines = dedented(balance_report(small(), Wanted(depth=1)))
        self.assertEqual(len(lines), 9)
        self.assertIn("764.20 EUR Expenses", lines)
        flat = dedented(balance_report(small(), Wanted(depth=2, flat=True)))
        self.assertIn("64.20 EUR Expenses:Food", flat)

    def test_everything_is_zero(self):
        self.assertEqual(dedented(balance_report(small(), Wanted()))[-1], "0")

    def test_several_commodities(self):
        session = session_of("2024-01-01 x\n  A  3 ACME @ 5 EUR\n  A  1 EUR\n  B\n")
        self.assertEqual(dedented(balance_report(session, Wanted()))[2:4], ["3 ACME A", "1 EUR"])
        self.assertIn("16 EUR A", dedented(balance_report(session, Wanted(exchange="EUR"))))


class OtherReports(unittest.TestCase):
    def test_register(self):
        wanted = Wanted(query=parse_query(["giro"], TODAY), period=Period(date(2024, 1, 15)))
        lines = dedented(register_report(small(), wanted))
        self.assertEqual(lines[2], "2024-01-31 * Employer Assets:Bank:Giro 2,000.00 EUR 2,000.00 EUR")
        wanted.cumulative = True
        wanted.reverse = True
        lines = dedented(register_report(small(), wanted))
        self.assertEqual(lines[2], "2024-03-01 Landlord | rent Assets:Bank:Giro -700.00 EUR 2,300.00 EUR")

    def test_trend(self):
        lines = dedented(trend_report(small(), Wanted(query=parse_query(["expenses"], TODAY), depth=2)))
        self.assertEqual(lines[0], "Account 2024-01 2024-02 2024-03 Total")
        self.assertEqual(lines[2], "Expenses:Food 4.20 EUR 60.00 EUR 0 64.20 EUR")

    def test_trend_of_what_is_held(self):
        wanted = Wanted(query=parse_query(["bank"], TODAY), period=FEBRUARY, cumulative=True)
        lines = dedented(trend_report(small(), wanted))
        self.assertEqual(lines[2], "Assets:Bank:Giro 3,000.00 EUR")
        self.assertEqual(lines[-1], "8,000.00 EUR")

    def test_networth(self):
        lines = dedented(networth_report(small(), Wanted()))
        self.assertEqual(lines[3], "2024-02 7,995.80 EUR -60.00 EUR 7,935.80 EUR")

    def test_income(self):
        lines = dedented(income_report(small(), Wanted()))
        self.assertEqual(lines[2:5], ["Income 2,000.00 EUR", "Income:Salary 2,000.00 EUR", "Expenses 764.20 EUR"])
        self.assertEqual(lines[5], "Expenses:Rent 700.00 EUR")
        self.assertEqual(lines[-1], "Left 1,235.80 EUR")

    def test_budget(self):
        session = session_of(SMALL + "\nbudget Expenses:Food  50 EUR monthly\n", TODAY)
        lines = dedented(budget_report(session, Wanted(period=FEBRUARY)))
        self.assertEqual(lines[2], "2024-02 Expenses:Food 50.00 EUR 60.00 EUR -10.00 EUR 120% !")
        current = dedented(budget_report(session, Wanted()))
        self.assertEqual(current[3], "2024-03 (no budget) 700.00 EUR")

    def test_stats(self):
        found = dict(figures(small(), Wanted()))
        self.assertEqual((found["Transactions"], found["Postings"], found["Last"]), ("5", "11", "2024-03-01"))


class Tables(unittest.TestCase):
    def test_narrow(self):
        table = Table([Column("Name", shrinks=True), Column("Sum", right=True)])
        table.add("a very long name of an account", ["1.00 EUR", "2.00 USD"])
        lines = table.text(24).splitlines()
        self.assertEqual(lines[2:], ["a very long ..  1.00 EUR", "                2.00 USD"])
        self.assertEqual(table.csv(), 'name,sum\na very long name of an account,"1.00 EUR, 2.00 USD"\n')

    def test_cut(self):
        self.assertEqual([cut("abcdef", width) for width in (6, 4, 1)], ["abcdef", "ab..", "."])
