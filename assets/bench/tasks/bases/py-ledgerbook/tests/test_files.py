"""Writing, exporting, settings, and checks."""

import csv
import io
import json
import unittest

from ledgerbook.balances import select
from ledgerbook.check import check
from ledgerbook.config import Config, read_config
from ledgerbook.errors import ConfigError
from ledgerbook.export import to_csv, to_json
from ledgerbook.parser import parse_text
from ledgerbook.session import session_of
from ledgerbook.writer import write_transactions
from tests.samples import Folder, small

RICH = """\
2024-01-05 ! Broker | shares  ; trip: Rome
    ; second line
    Assets:Shares       5 ACME @ 20.00 EUR  ; lot: 1
    * Assets:Bank    -100.00 EUR = -100.00 EUR

2024-01-06 Baker
    Expenses:Food    2.50 EUR
    Assets:Cash
"""


class Writing(unittest.TestCase):
    def written(self, text, explicit=False):
        journal = session_of(text).journal
        return write_transactions(journal.transactions, journal.commodities, explicit)

    def test_read_again(self):
        once = self.written(RICH)
        self.assertEqual(self.written(once), once)
        for piece in ("; trip: Rome", "    ; second line", "5 ACME @ 20.00 EUR  ; lot: 1", "* Assets:Bank", "= -100.00 EUR"):
            self.assertIn(piece, once)

    def test_left_out_amounts(self):
        self.assertIn("    Assets:Cash\n", self.written(RICH))
        self.assertIn("-2.50 EUR", self.written(RICH, explicit=True))

    def test_several_left_out_amounts(self):
        text = self.written("2024-01-01 x\n  A  1 EUR\n  B  2 USD\n  C\n")
        self.assertIn("-2 USD", text)


class Exporting(unittest.TestCase):
    def test_csv(self):
        journal = session_of(RICH).journal
        rows = list(csv.DictReader(io.StringIO(to_csv(select(journal)))))
        self.assertEqual([row["status"] for row in rows], ["pending", "cleared", "unmarked", "unmarked"])
        self.assertEqual((rows[0]["payee"], rows[0]["note"], rows[0]["quantity"]), ("Broker", "shares", "5"))

    def test_json(self):
        found = json.loads(to_json(session_of(RICH).journal.transactions))
        self.assertEqual(found[0]["postings"][0]["cost"], {"quantity": "20.00", "commodity": "EUR", "total": False})
        self.assertEqual(found[0]["postings"][0]["tags"], {"trip": "Rome", "lot": "1"})
        self.assertEqual(found[1]["postings"][1]["quantity"], "-2.50")


class Settings(unittest.TestCase):
    def read(self, text):
        folder = Folder(ledgerbook__ini=text)
        self.addCleanup(folder.close)
        return read_config(folder.path("ledgerbook.ini"))

    def test_read(self):
        config = self.read("[ledgerbook]\ncurrency = EUR\ndepth = 2\nstrict = yes\n[roots]\nBesitz = assets\n")
        self.assertEqual((config.currency, config.depth, config.strict), ("EUR", 2, True))
        self.assertEqual(config.roots, {"besitz": "assets"})

    def test_refused(self):
        for text in ("[ledgerbook]\nwidth = 10\n", "[ledgerbook]\ncolor = red\n", "[roots]\nX = things\n", "nothing\n"):
            with self.assertRaises(ConfigError):
                self.read(text)


class Checks(unittest.TestCase):
    def messages(self, text, config=None):
        return [finding.message for finding in check(parse_text(text), config or Config())]

    def test_closed_accounts(self):
        text = "account Assets:Old\n    closed 2024-01-01\n2024-01-01 x\n  Assets:Old  1 EUR\n  Assets:New  -1 EUR\n"
        self.assertEqual(self.messages(text), ["Assets:Old is closed since 2024-01-01"])

    def test_unknown_roots(self):
        self.assertEqual(self.messages("2024-01-01 x\n  Foo:A  1\n  Foo:B  -1\n"), ["'Foo' is no known root of accounts"])

    def test_doubles(self):
        once = "2024-01-01 x ; n: %s\n  Assets:A  1\n  Assets:B  -1\n"
        self.assertEqual(self.messages(once % 1 + once % 2), [])
        self.assertEqual(self.messages(once % 1 + once % 1), ["'x' is the same as at <text>:1"])

    def test_strict(self):
        found = self.messages("account Assets:A\n2024-01-01 x ; n: 1\n  Assets:A  1 EUR\n  Assets:B  -1 EUR\n", Config(strict=True))
        self.assertEqual(len(found), 3)
        self.assertEqual([finding.message for finding in check(small().journal, Config())], [])
