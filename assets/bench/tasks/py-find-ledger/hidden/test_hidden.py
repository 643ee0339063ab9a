import io
import os
import tempfile
import unittest

from ledgerbook.cli.main import main

RULES = """\
skip 1
separator ;
date-format %d.%m.%Y
decimal ,
columns date, payee, note, amount
account Assets:Bank
currency EUR

match @@SHOP@@
    account Expenses:Food
    payee Groceries
"""

HEAD = "Booked;Name;Purpose;Amount"
OLD = ["03.03.2024;Employer;;1.800,00", "01.03.2024;Landlord;flat;-700,00", "01.03.2024;Power;;-45,50"]
SHOPPING = "04.03.2024;@@SHOP@@ 12;;-23,49"
COFFEE = "04.03.2024;Coffee bar;;-2,80"
TRAIN = "04.03.2024;Railway;ticket;-19,00"
REFUND = "04.03.2024;Railway;ticket;19,00"


class Statements(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.write("bank.rules", RULES)
        self.write("main.ledger", "commodity EUR\n    format 1,000.00 EUR\n")

    def path(self, name):
        return os.path.join(self.place, name)

    def write(self, name, text, mode="w"):
        with open(self.path(name), mode, encoding="utf-8") as file:
            file.write(text)

    def run_command(self, *words):
        out, err = io.StringIO(), io.StringIO()
        code = main(["-f", self.path("main.ledger"), "--today", "2024-03-31", *words], out, err)
        self.assertEqual((code, err.getvalue()), (0, ""))
        return out.getvalue()

    def bring(self, *rows):
        """Imports a statement into the journal. The heads of what is new, and how much was known."""
        self.write("bank.csv", "\n".join([HEAD, *rows]) + "\n")
        out = self.run_command("import", self.path("bank.rules"), self.path("bank.csv"))
        self.write("main.ledger", "\n" + out, "a")
        heads = [line.partition(" * ")[2].partition("  ;")[0] for line in out.splitlines() if line.startswith("2")]
        return sorted(heads), int(out.splitlines()[0].split()[3])

    def test_something_new_in_the_evening(self):
        self.assertEqual(self.bring(SHOPPING, COFFEE, *OLD)[1], 0)
        self.assertEqual(self.bring(TRAIN, SHOPPING, COFFEE, *OLD), (["Railway | ticket"], 5))

    def test_something_late_in_between(self):
        self.bring(SHOPPING, COFFEE, *OLD)
        self.assertEqual(self.bring(SHOPPING, TRAIN, COFFEE, *OLD), (["Railway | ticket"], 5))
        self.assertEqual(self.bring(REFUND, SHOPPING, TRAIN, COFFEE, *OLD), (["Railway | ticket"], 6))

    def test_another_order(self):
        self.bring(SHOPPING, COFFEE, TRAIN)
        self.assertEqual(self.bring(TRAIN, COFFEE, SHOPPING), ([], 3))

    def test_same_payee_with_other_amounts(self):
        self.bring("04.03.2024;@@SHOP@@ 12;;-23,49")
        rows = ["04.03.2024;@@SHOP@@ 12;;-5,00", "04.03.2024;@@SHOP@@ 12;;-23,49"]
        self.assertEqual(self.bring(*rows), (["Groceries"], 1))
        self.assertEqual(self.bring(*reversed(rows)), ([], 2))

    def test_same_statement_again(self):
        self.assertEqual(len(self.bring(SHOPPING, COFFEE, COFFEE, *OLD)[0]), 6)
        self.assertEqual(self.bring(SHOPPING, COFFEE, COFFEE, *OLD), ([], 6))

    def test_equal_bookings_stay_two(self):
        self.bring(COFFEE, COFFEE)
        self.assertEqual(self.bring(COFFEE, COFFEE, COFFEE), (["Coffee bar"], 2))
        self.assertIn("-8.40 EUR", self.run_command("balance", "assets"))

    def test_equal_bookings_apart(self):
        self.bring(SHOPPING, COFFEE)
        self.assertEqual(self.bring(COFFEE, TRAIN, SHOPPING, COFFEE), (["Coffee bar", "Railway | ticket"], 2))
        self.assertEqual(self.bring(COFFEE, COFFEE, TRAIN, SHOPPING), ([], 4))

    def test_alone_on_its_day_as_before(self):
        text = "\n2024-03-03 * Employer  ; @@TAG@@: KNOWN\n    Assets:Bank  1,800.00 EUR\n    Income:Unknown\n"
        self.write("main.ledger", text.replace("KNOWN", "f26b3e2c2afb"), "a")
        self.assertEqual(self.bring("03.03.2024;Employer;;1.800,0"), ([], 1))
        self.assertEqual(self.bring("03.03.2024;Employer;;1.800,01"), (["Employer"], 0))

    def test_edited_ones_are_known(self):
        self.bring(SHOPPING, COFFEE, *OLD)
        with open(self.path("main.ledger"), encoding="utf-8") as file:
            text = file.read()
        self.write("main.ledger", text.replace("Groceries", "@@WHO@@").replace("Expenses:Unknown", "Expenses:Coffee"))
        self.assertEqual(self.bring(SHOPPING, COFFEE, *OLD), ([], 5))
