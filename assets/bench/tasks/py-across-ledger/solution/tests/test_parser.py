import unittest
from datetime import date
from decimal import Decimal

from ledgerbook.amounts import Amount
from ledgerbook.errors import LedgerError, ParseError
from ledgerbook.parser import Parser, parse_text


def posting(text):
    """The posting of a line."""
    return parse_text(f"2024-01-01 x\n    {text}\n    Other\n").transactions[0].postings[0]


def files(**texts):
    """A parser that reads these texts instead of files."""

    def read(path):
        if path not in texts:
            raise FileNotFoundError(2, "No such file or directory")
        return texts[path]

    return Parser(read)


class Transactions(unittest.TestCase):
    def test_head(self):
        transaction = parse_text("2024/1/5 * Baker | rolls ; receipt:, trip: Rome\n  A  1 EUR\n  B\n").transactions[0]
        self.assertEqual(transaction.date, date(2024, 1, 5))
        self.assertEqual((transaction.status, transaction.payee, transaction.note), ("*", "Baker", "rolls"))
        self.assertEqual(transaction.tags, {"receipt": "", "trip": "Rome"})

    def test_@@WORD@@(self):
        transaction = parse_text("2024-01-05 * (A-12) Baker (new)\n  A  1\n  B\n").transactions[0]
        self.assertEqual((transaction.@@WORD@@, transaction.payee), ("A-12", "Baker (new)"))
        with self.assertRaises(ParseError):
            parse_text("2024-01-05 (A-12 Baker\n  A  1\n  B\n")

    def test_comments_below(self):
        text = "2024-01-05 Baker\n  ; early: yes\n  A  1 EUR ; first\n  ; late: no\n  B\n"
        transaction = parse_text(text).transactions[0]
        self.assertEqual(transaction.tags, {"early": "yes"})
        self.assertEqual(transaction.postings[0].comment, "first\nlate: no")
        self.assertEqual(transaction.posting_tags(transaction.postings[0]), {"early": "yes", "late": "no"})

    def test_addresses_are_no_tags(self):
        self.assertEqual(parse_text("2024-01-05 x ; see https://example.org\n  A  1\n  B\n").transactions[0].tags, {})

    def test_status_of_a_posting(self):
        found = posting("! Assets:My Bank  5 EUR")
        self.assertEqual((found.status, found.account), ("!", "Assets:My Bank"))

    def test_comment_blocks(self):
        journal = parse_text("comment\n2024-01-05 x\n  A  1\nend comment\n2024-01-06 y\n  A  1\n  B\n")
        self.assertEqual([transaction.payee for transaction in journal.transactions], ["y"])


class AmountsInPostings(unittest.TestCase):
    def test_shapes(self):
        shapes = {
            "3.50 EUR": ("3.50", "EUR"),
            "EUR 3.50": ("3.50", "EUR"),
            "-$3": ("-3", "$"),
            "$-3": ("-3", "$"),
            "- 3 EUR": ("-3", "EUR"),
            "1,234,567.8 EUR": ("1234567.8", "EUR"),
            "1'000": ("1000", ""),
            '5 "ACME; 2"': ("5", "ACME; 2"),
            ".5 EUR": ("0.5", "EUR"),
        }
        for text, (quantity, commodity) in shapes.items():
            self.assertEqual(posting("A  " + text).amount, Amount(Decimal(quantity), commodity), text)

    def test_costs(self):
        self.assertEqual(posting("A  5 ACME @ 20 EUR").weight(), Amount.of(100, "EUR"))
        self.assertEqual(posting("A  -5 ACME @ total 90 EUR").weight(), Amount.of(-90, "EUR"))

    def test_assertions(self):
        found = posting("A  5 ACME @ 20 EUR = 12 ACME")
        self.assertEqual(found.assertion, Amount.of(12, "ACME"))
        alone = parse_text("2024-01-01 x\n  A  = 3 EUR\n  B  1 EUR\n").transactions[0].postings[0]
        self.assertEqual((alone.amount, alone.assertion), (None, Amount.of(3, "EUR")))

    def test_refused(self):
        for text in ("1,23 EUR", "1.2.3 EUR", "3. EUR", "1,000'000 EUR", "-$-3", "EUR", "3 EUR extra", '5 "ACME', "5 A @ -1 EUR"):
            with self.assertRaises(ParseError, msg=text):
                posting("A  " + text)


class Directives(unittest.TestCase):
    def test_decimal_comma(self):
        journal = parse_text("decimal ,\n2024-01-01 x\n  A  1.234,50 EUR\n  B\n")
        self.assertEqual(journal.transactions[0].postings[0].amount, Amount.of("1234.50", "EUR"))

    def test_year(self):
        journal = parse_text("year 2023\n3-5 x\n  A  1\n  B\n")
        self.assertEqual(journal.transactions[0].date, date(2023, 3, 5))

    def test_names_of_accounts(self):
        text = "alias bank = Assets:Bank\napply account Home\n2024-01-01 x\n  bank:Giro  1\n  Food\nend apply account\n"
        accounts = [found.account for found in parse_text(text).transactions[0].postings]
        self.assertEqual(accounts, ["Assets:Bank:Giro", "Home:Food"])

    def test_declarations(self):
        text = "account Assets:Bank\n    note at the corner\n    closed 2024-06-01\ntag trip\ncommodity EUR\n    format 1,000.00 EUR\n"
        journal = parse_text(text)
        self.assertEqual(journal.accounts["Assets:Bank"].closed, date(2024, 6, 1))
        self.assertEqual(journal.tags, ["trip"])
        self.assertEqual(journal.commodities.format(Amount.of(1234, "EUR")), "1,234.00 EUR")

    def test_prices(self):
        entry = parse_text('price 2024-01-05 "ACME 2" 1,020.50 EUR\n').prices[0]
        self.assertEqual((entry.commodity, entry.price), ("ACME 2", Amount.of("1020.50", "EUR")))

    def test_rules(self):
        text = "~ every 2 weeks from 2024-01-05 to 2025-01-01  Cleaner | house\n  Expenses:Home  40 EUR\n  Assets:Cash\n"
        rule = parse_text(text).rules[0]
        self.assertEqual((rule.unit, rule.every, rule.span.end), ("week", 2, date(2025, 1, 1)))
        self.assertEqual((rule.template.payee, rule.template.note), ("Cleaner", "house"))

    def test_budget(self):
        line = parse_text("budget Expenses:Food  400 EUR monthly from 2024-02-01\n").budget[0]
        self.assertEqual((line.account, line.unit, line.span.start), ("Expenses:Food", "month", date(2024, 2, 1)))

    def test_refused_with_their_line(self):
        wrong = {
            "hello\n": 1,
            "\nyear 24\n": 2,
            "account A\naccount A\n": 2,
            "account A\n  colour red\n": 2,
            "end apply account\n": 1,
            "apply account A\n": 1,
            "2024-01-01 x\n": 1,
            "2024-01-01 x\n  A\n  B\n": 3,
            "~ monthly  x\n  A  1\n  B\n": 1,
            "~ sometimes from 2024-01-01  x\n  A  1\n  B\n": 1,
            "budget A 4 EUR monthly\n": 1,
            "price 2024-01-01 EUR 1 EUR\n": 1,
            "comment\n": 1,
            "  A  1\n": 1,
        }
        for text, line in wrong.items():
            with self.assertRaises(ParseError, msg=text) as caught:
                parse_text(text)
            self.assertEqual(caught.exception.line, line, text)


class Includes(unittest.TestCase):
    def test_relative_paths(self):
        parser = files(**{"a/main": "include sub/more\n", "a/sub/more": "include ../last\n", "a/last": "tag done\n"})
        journal = parser.parse_file("a/main")
        self.assertEqual(journal.files, ["a/main", "a/sub/more", "a/last"])
        self.assertEqual(journal.tags, ["done"])

    def test_aliases_go_on(self):
        parser = files(main="include more\n2024-01-01 x\n  b  1\n  C\n", more="alias b = Assets:Bank\n")
        self.assertEqual(parser.parse_file("main").transactions[0].postings[0].account, "Assets:Bank")

    def test_circles(self):
        with self.assertRaises(ParseError):
            files(main="include more\n", more="include main\n").parse_file("main")

    def test_missing_files(self):
        with self.assertRaises(ParseError):
            files(main="include more\n").parse_file("main")
        with self.assertRaises(LedgerError):
            files().parse_file("main")
