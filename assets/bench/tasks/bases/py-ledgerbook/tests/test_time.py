import unittest
from datetime import date

from ledgerbook.dates import add_months, parse_date, start_of, step
from ledgerbook.errors import DateError
from ledgerbook.periods import Period, label, parse_period, split

TODAY = date(2024, 3, 15)


class Dates(unittest.TestCase):
    def test_spellings(self):
        for text in ("2024-03-05", "2024/3/5", "2024.03.05"):
            self.assertEqual(parse_date(text), date(2024, 3, 5))
        self.assertEqual(parse_date("3/5", 2023), date(2023, 3, 5))

    def test_refused(self):
        for text in ("2024-13-01", "2023-02-29", "5", "2024-3/5", "03-05"):
            with self.assertRaises(DateError):
                parse_date(text)

    def test_short_months_end_earlier(self):
        self.assertEqual(add_months(date(2024, 1, 31), 1), date(2024, 2, 29))
        self.assertEqual(add_months(date(2024, 2, 29), 1, anchor=31), date(2024, 3, 31))
        self.assertEqual(step(date(2024, 2, 29), "year"), date(2025, 2, 28))

    def test_starts(self):
        day = date(2024, 5, 16)
        found = [start_of(day, unit).isoformat()[5:] for unit in ("day", "week", "month", "quarter", "year")]
        self.assertEqual(found, ["05-16", "05-13", "05-01", "04-01", "01-01"])


class Periods(unittest.TestCase):
    def check(self, text, start, end):
        period = parse_period(text, TODAY)
        shown = [day.isoformat() if day else None for day in (period.start, period.end)]
        self.assertEqual(shown, [start, end], text)

    def test_parsed(self):
        self.check("2024", "2024-01-01", "2025-01-01")
        self.check("2024-Q4", "2024-10-01", "2025-01-01")
        self.check("2024-12", "2024-12-01", "2025-01-01")
        self.check("2024-12-31", "2024-12-31", "2025-01-01")
        self.check("2024-02..2024-04", "2024-02-01", "2024-04-01")
        self.check("..2024", None, "2024-01-01")
        self.check("last month", "2024-02-01", "2024-03-01")
        self.check("this quarter", "2024-01-01", "2024-04-01")
        self.check("yesterday", "2024-03-14", "2024-03-15")

    def test_refused(self):
        for text in ("2024-13", "soon", "2024..2023", "last fortnight"):
            with self.assertRaises(DateError):
                parse_period(text, TODAY)

    def test_within(self):
        first = Period(date(2024, 1, 1), date(2024, 6, 1))
        self.assertEqual(first.within(Period(date(2024, 3, 1))), Period(date(2024, 3, 1), date(2024, 6, 1)))
        self.assertEqual(first.within(Period(date(2024, 8, 1), date(2024, 9, 1))).days(), 0)

    def test_split_covers_whole_units(self):
        parts = split(Period(date(2024, 1, 20), date(2024, 3, 2)), "month")
        self.assertEqual([label(part, "month") for part in parts], ["2024-01", "2024-02", "2024-03"])

    def test_labels(self):
        period = Period(date(2024, 12, 30), date(2025, 1, 6))
        self.assertEqual(label(period, "week"), "2025-W01")
        self.assertEqual(label(period, "quarter"), "2024-Q4")
