import unittest

from tests.samples import SMALL, Folder

RULES = "columns date, payee, amount\naccount Assets:Bank:Giro\ncurrency EUR\n"
STATEMENT = "2024-03-05,Baker,-3.50\n2024-03-05,Baker,-3.50\n2024-03-04,Kiosk,-1.00\n"


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = Folder(main__ledger=SMALL, bank__rules=RULES, bank__csv=STATEMENT)
        self.addCleanup(self.folder.close)

    def out(self, *words):
        code, out, err = self.folder.run(*words)
        self.assertEqual((code, err), (0, ""))
        return out

    def test_balance(self):
        self.assertIn("5,000.00 EUR      Savings", self.out("balance", "savings", "assets"))
        self.assertIn("balance,account\n4.20 EUR,Expenses:Food:Groceries\n", self.out("bal", "groceries", "--flat", "--csv"))

    def test_periods(self):
        self.assertIn("Trattoria", self.out("register", "-p", "last month"))
        self.assertNotIn("Baker", self.out("register", "-b", "2024-02", "-e", "2024-03"))
        self.assertIn("2024-Q1", self.out("trend", "--quarterly"))

    def test_accounts(self):
        self.assertEqual(self.out("accounts", "food"), "Expenses:Food:Groceries\nExpenses:Food:Restaurants\n")
        self.assertEqual(self.out("accounts", "-d", "1"), "Assets\nEquity\nExpenses\nIncome\nLiabilities\n")

    def test_print_and_export(self):
        self.assertTrue(self.out("print", "payee:baker").startswith("2024-01-10 * Baker | rolls  ; receipt:\n"))
        self.assertEqual(len(self.out("export", "rent").splitlines()), 2)
        self.assertIn('"payee": "Baker"', self.out("export", "--json", "tag:receipt"))

    def test_check_and_stats(self):
        self.assertEqual(self.out("check"), "5 transactions, nothing found\n")
        self.assertIn("Transactions  5", self.out("stats"))

    def test_import_twice(self):
        paths = [self.folder.path("bank.rules"), self.folder.path("bank.csv")]
        first = self.out("import", *paths)
        self.assertTrue(first.startswith("; 3 new, 0 known\n\n2024-03-04 * Kiosk"))
        self.folder.append("main.ledger", "\n" + first)
        self.assertEqual(self.out("import", *paths), "; 0 new, 3 known\n")

    def test_forecast(self):
        self.folder.append("main.ledger", "\n~ monthly from 2024-04-01  Landlord\n    Expenses:Rent  700.00 EUR\n    Assets:Bank:Giro\n")
        self.assertNotIn("2024-04-01", self.out("register", "rent"))
        self.assertIn("2024-05-01", self.out("register", "rent", "--forecast", "2024-05-02"))

    def test_settings_beside_the_journal(self):
        self.folder.write("ledgerbook.ini", "[ledgerbook]\ndepth = 1\n")
        self.assertNotIn("Bank", self.out("balance"))
        self.assertIn("Bank", self.out("balance", "-d", "2"))


class Faults(unittest.TestCase):
    def check(self, code, piece, *words, journal=SMALL):
        folder = Folder(main__ledger=journal)
        self.addCleanup(folder.close)
        found, out, err = folder.run(*words)
        self.assertEqual((found, out), (code, ""))
        self.assertIn(piece, err)

    def test_exit_codes(self):
        self.check(64, "a command is missing")
        self.check(64, "--depth", "balance", "-d", "0")
        self.check(2, "'x' is no date", "balance", "-p", "x")
        self.check(2, "no regular expression", "balance", "(?")
        self.check(2, "main.ledger:1: 'hello'", "balance", journal="hello\n")
        self.check(3, "is off by 1 EUR", "balance", journal="2024-01-01 x\n  A  3 EUR\n  B  -2 EUR\n")
        self.check(3, "holds 3 EUR", "balance", journal="2024-01-01 x\n  A  3 EUR = 2 EUR\n  B\n")
        self.check(4, "no known root", "check", journal="2024-01-01 x\n  A  3 EUR\n  B\n")
        self.check(1, "cannot read", "import", "none.rules", "none.csv")
