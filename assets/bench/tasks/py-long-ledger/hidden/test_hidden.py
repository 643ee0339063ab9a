import unittest
from datetime import date
from decimal import Decimal

from ledgerbook.errors import ParseError
from ledgerbook.parser import Parser, parse_text


def read(**texts):
    """The journal in `main`, with texts in place of files."""

    def text(path):
        if path not in texts:
            raise FileNotFoundError(2, "No such file or directory")
        return texts[path]

    return Parser(text).parse_file("main")


def dates(journal):
    return [transaction.date for transaction in journal.transactions]


def quantities(journal):
    return [transaction.postings[0].amount.quantity for transaction in journal.transactions]


def booking(amount="1", day="3-5", account="A"):
    return f"{day} x\n  {account}  {amount} EUR\n  B\n\n"


class Includes(unittest.TestCase):
    def test_year_of_the_including_file(self):
        journal = read(
            main="year @@OUTER@@\n" + booking() + "include more\n" + booking(), more="year @@INNER@@\n" + booking()
        )
        self.assertEqual(dates(journal), [date(year, 3, 5) for year in (@@OUTER@@, @@INNER@@, @@OUTER@@)])

    def test_decimal_mark_of_the_including_file(self):
        journal = read(
            main="year @@OUTER@@\n" + booking("1,234.5") + "include more\n" + booking("1,234.5"),
            more="decimal ,\n" + booking("1.234,5"),
        )
        self.assertEqual(quantities(journal), [Decimal("1234.5")] * 3)

    def test_no_year_before_no_year_behind(self):
        with self.assertRaises(ParseError) as caught:
            read(main="include more\n" + booking(), more="year @@INNER@@\n")
        self.assertEqual((caught.exception.path, caught.exception.line), ("main", 2))

    def test_several_levels(self):
        journal = read(
            main="year @@OUTER@@\ninclude one\n" + booking("1.5"),
            one="decimal ,\ninclude two\n" + booking("1,5"),
            two="year @@INNER@@\ndecimal .\n" + booking("1.5"),
        )
        self.assertEqual(dates(journal), [date(year, 3, 5) for year in (@@INNER@@, @@OUTER@@, @@OUTER@@)])
        self.assertEqual(quantities(journal), [Decimal("1.5")] * 3)

    def test_one_after_the_other(self):
        journal = read(
            main="year @@OUTER@@\ninclude one\ninclude two\n",
            one="year @@INNER@@\ndecimal ,\n" + booking("2,5"),
            two=booking("2.5"),
        )
        self.assertEqual(dates(journal), [date(year, 3, 5) for year in (@@INNER@@, @@OUTER@@)])
        self.assertEqual(quantities(journal), [Decimal("2.5")] * 2)

    def test_included_files_begin_with_what_holds(self):
        journal = read(main="year @@OUTER@@\ndecimal ,\ninclude more\n", more=booking("1.234,5"))
        self.assertEqual(dates(journal), [date(@@OUTER@@, 3, 5)])
        self.assertEqual(quantities(journal), [Decimal("1234.5")])

    def test_what_comes_later_in_the_same_file_holds(self):
        journal = parse_text("year @@OUTER@@\n" + booking() + "year @@INNER@@\ndecimal ,\n" + booking("1,5"))
        self.assertEqual(dates(journal), [date(year, 3, 5) for year in (@@OUTER@@, @@INNER@@)])

    def test_everything_else_goes_on(self):
        journal = read(
            main="year @@OUTER@@\napply account Home\ninclude more\n" + booking(account="b:Giro") + "end apply account\n",
            more="alias b = Assets:Bank\ntag trip\naccount Food\ncommodity EUR\n    format 1.00 EUR\n\n"
            "apply account Deep\n" + booking() + "end apply account\n",
        )
        accounts = [posting.account for transaction in journal.transactions for posting in transaction.postings]
        self.assertEqual(accounts, ["Home:Deep:A", "Home:Deep:B", "Home:Assets:Bank:Giro", "Home:B"])
        self.assertEqual((journal.tags, list(journal.accounts)), (["trip"], ["Home:Food"]))
        self.assertEqual(journal.files, ["main", "more"])

    def test_faults_as_before(self):
        for texts, place in (
            ({"main": "include more\n"}, ("main", 1)),
            ({"main": "include more\n", "more": "\ninclude main\n"}, ("more", 2)),
            ({"main": "include more\n", "more": "apply account X\n"}, ("more", 1)),
            ({"main": "tag a\ninclude\n"}, ("main", 2)),
        ):
            with self.assertRaises(ParseError) as caught:
                read(**texts)
            self.assertEqual((caught.exception.path, caught.exception.line), place)

    def test_the_rest_is_read_as_before(self):
        text = (
            "~ every 2 weeks from 2024-01-05  Cleaner\n  A  40 EUR\n  B\n\nbudget A  4 EUR weekly\n"
            'price 2024-01-05 "ACME 2" 20 EUR\n2024-01-06 ! x | y ; t: 1\n  A  5 "ACME 2" @ total 90 EUR = 5 "ACME 2"\n  B\n'
        )
        journal = parse_text(text)
        posting = journal.transactions[0].postings[0]
        self.assertEqual((journal.rules[0].every, journal.budget[0].unit), (2, "week"))
        self.assertEqual((posting.weight().quantity, posting.assertion.quantity), (90, 5))
        self.assertEqual((journal.transactions[0].note, journal.transactions[0].tags), ("y", {"t": "1"}))
