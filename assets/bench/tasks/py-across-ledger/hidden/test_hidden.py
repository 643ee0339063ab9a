import csv
import io
import json
import os
import tempfile
import unittest

from ledgerbook.cli.main import main
from ledgerbook.errors import ParseError
from ledgerbook.parser import parse_text

JOURNAL = """\
commodity EUR
    format 1,000.00 EUR

~ monthly from 2024-03-31  * (@@PREFIX@@-R) Landlord | rent
    Expenses:Rent  700.00 EUR
    Assets:Bank

2024-01-05 * (@@PREFIX@@-12) Baker | rolls  ; till: 2
    Expenses:Food  4.20 EUR
    Assets:Cash

2024-01-06 ( 2024/7 ) Baker (old town)
    Expenses:Food  3.10 EUR
    Assets:Cash

2024-01-07 ! Kiosk (@@PREFIX@@)
    Expenses:Food  2.00 EUR
    Assets:Cash
"""


def one(head):
    return parse_text(head + "\n    Assets:A  1 EUR\n    Assets:B  -1 EUR\n").transactions[0]


class Numbered(unittest.TestCase):
    def run_command(self, *words, journal=JOURNAL, code=0):
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "main.ledger")
            with open(path, "w", encoding="utf-8") as file:
                file.write(journal)
            out, err = io.StringIO(), io.StringIO()
            self.assertEqual(main(["-f", path, "--today", "2024-12-31", *words], out, err), code, err.getvalue())
        return out.getvalue() if code == 0 else err.getvalue()

    def test_parsed(self):
        found = one("2024-01-05 * (@@PREFIX@@-12) Baker | rolls")
        self.assertEqual((found.@@WORD@@, found.status, found.payee, found.note), ("@@PREFIX@@-12", "*", "Baker", "rolls"))
        found = one("2024-01-05 ( a b ) Baker")
        self.assertEqual((found.@@WORD@@, found.status, found.payee), ("a b", "", "Baker"))

    def test_without_one(self):
        for head, payee in (("2024-01-05 ! Baker (new)", "Baker (new)"), ("2024-01-05 Baker)", "Baker)")):
            found = one(head)
            self.assertEqual((found.@@WORD@@, found.payee), ("", payee))

    def test_never_closed(self):
        for head in ("2024-01-05 (12 Baker", "2024-01-05 * (12"):
            with self.assertRaises(ParseError):
                one(head)

    def test_periodic_rules(self):
        rule = parse_text(JOURNAL).rules[0]
        self.assertEqual((rule.template.@@WORD@@, rule.template.payee), ("@@PREFIX@@-R", "Landlord"))
        out = self.run_command("print", "--forecast", "2024-04-30", "rent")
        self.assertTrue(out.startswith("2024-03-31 * (@@PREFIX@@-R) Landlord | rent\n"), out)

    def test_print(self):
        out = self.run_command("print")
        heads = [line for line in out.splitlines() if line.startswith("2024")]
        self.assertEqual(
            heads,
            [
                "2024-01-05 * (@@PREFIX@@-12) Baker | rolls  ; till: 2",
                "2024-01-06 (2024/7) Baker (old town)",
                "2024-01-07 ! Kiosk (@@PREFIX@@)",
            ],
        )
        self.assertEqual(self.run_command("print", journal=out), out)

    def test_register(self):
        lines = self.run_command("register", "food", "--csv").splitlines()
        found = [row[1] for row in csv.reader(lines)][1:]
        self.assertEqual(found, ["* (@@PREFIX@@-12) Baker | rolls", "(2024/7) Baker (old town)", "! Kiosk (@@PREFIX@@)"])

    def test_export_csv(self):
        rows = list(csv.reader(io.StringIO(self.run_command("export", "food"))))
        head = ["date", "status", "@@WORD@@", "payee", "note", "account", "quantity", "commodity", "comment"]
        self.assertEqual(rows[0], head)
        self.assertEqual(rows[1][:6], ["2024-01-05", "cleared", "@@PREFIX@@-12", "Baker", "rolls", "Expenses:Food"])
        self.assertEqual([row[2] for row in rows[2:]], ["2024/7", ""])

    def test_export_json(self):
        found = json.loads(self.run_command("export", "--json"))
        self.assertEqual([each["@@WORD@@"] for each in found], ["@@PREFIX@@-12", "2024/7", ""])
        self.assertEqual(sorted(found[0]), sorted(["date", "status", "@@WORD@@", "payee", "note", "postings"]))

    def found(self, *words):
        return len(self.run_command("export", *words).splitlines()) - 1

    def test_queries(self):
        self.assertEqual(self.found("@@WORD@@:" + "@@PREFIX@@-".lower()), 2)
        self.assertEqual(self.found("@@WORD@@:^2024.7$"), 2)
        self.assertEqual(self.found("@@WORD@@:", "food"), 2)
        self.assertEqual(self.found("not", "@@WORD@@:.", "food"), 1)
        self.assertIn("regular expression", self.run_command("export", "@@WORD@@:[", code=2))

    def test_payees_are_as_before(self):
        self.assertEqual(self.found("payee:@@PREFIX@@"), 2)
        self.assertEqual(self.found("payee:^baker"), 4)
        self.assertEqual(self.found("payee:rolls", "or", "comment:till"), 2)

    def test_check(self):
        same = "2024-01-05 {} Baker\n    Assets:A  1 EUR\n    Assets:B  -1 EUR\n\n"
        other = same.format("(1)") + same.format("(2)") + same.format("")
        self.assertIn("nothing found", self.run_command("check", journal=other))
        err = self.run_command("check", journal=same.format("(1)") + same.format("(1)"), code=4)
        self.assertIn("is the same as at", err)

    def test_the_rest_is_as_before(self):
        out = self.run_command("balance", "--flat", "food", "cash")
        self.assertEqual([line.split()[0] for line in out.splitlines()[2:4]], ["-9.30", "9.30"])
        plain = "2024-01-05 * Baker | rolls\n    A    1.00 EUR\n    B\n"
        self.assertEqual(self.run_command("print", journal=plain), plain)
