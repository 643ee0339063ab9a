import unittest
from decimal import Decimal

from ledgerbook.errors import RulesError
from ledgerbook.importer.merge import import_statement
from ledgerbook.importer.reader import number, read_rows
from ledgerbook.importer.rules import parse_rules
from ledgerbook.model import Journal
from ledgerbook.parser import parse_text
from ledgerbook.writer import write_transactions

RULES = """\
skip 1
separator ;
date-format %d.%m.%Y
decimal ,
columns date, , payee, note, amount
account Assets:Bank:Giro
currency EUR

match rewe|edeka
    account Expenses:Food
    payee Supermarket
    tag kind: card
"""

HEAD = "Booked;Kind;Name;Purpose;Amount\n"
MONDAY = HEAD + "04.03.2024;card;REWE 12;;-23,49\n04.03.2024;card;Coffee bar;;-2,8\n04.03.2024;card;Coffee bar;;-2,80\n"
TUESDAY = MONDAY + "05.03.2024;in;Employer;March;2.400,00\n"


class Reading(unittest.TestCase):
    def setUp(self):
        self.rules = parse_rules(RULES)

    def test_rows(self):
        row = read_rows(TUESDAY, self.rules)[3]
        self.assertEqual((row.line, row.payee, row.note), (5, "Employer", "March"))
        self.assertEqual((row.amount.quantity, row.amount.commodity), (Decimal("2400.00"), "EUR"))

    def test_numbers(self):
        self.assertEqual(number("1.234,50-", ","), Decimal("-1234.50"))
        self.assertEqual(number("+1,234.5", "."), Decimal("1234.5"))

    def test_debit_and_credit(self):
        rules = parse_rules("columns date, payee, debit, credit\naccount A\n")
        rows = read_rows("2024-01-01,x,5,\n2024-01-02,y,,7\n", rules)
        self.assertEqual([row.amount.quantity for row in rows], [-5, 7])

    def test_faults_name_the_line(self):
        for text in ("4.3.2024;;x;;1,00,00", "2024-03-04;;x;;1", "04.03.2024;;x"):
            with self.assertRaises(RulesError) as caught:
                read_rows(HEAD + text + "\n", self.rules, "bank.csv")
            self.assertTrue(str(caught.exception).startswith("bank.csv:2: "))

    def test_wrong_rules(self):
        for text in ("account A\n", "columns date, payee\naccount A\n", "color red\n", "  account A\n", "match [\n"):
            with self.assertRaises(RulesError):
                parse_rules(text)


class Importing(unittest.TestCase):
    def setUp(self):
        self.rules = parse_rules(RULES)

    def test_booked(self):
        first = import_statement(TUESDAY, self.rules, Journal()).new[0]
        self.assertEqual((first.payee, first.status, first.tags["kind"]), ("Supermarket", "*", "card"))
        self.assertEqual([posting.account for posting in first.postings], ["Assets:Bank:Giro", "Expenses:Food"])

    def test_unknown_ones(self):
        new = import_statement(TUESDAY, self.rules, Journal()).new
        self.assertEqual([each.postings[1].account for each in new[1:]], ["Expenses:Unknown"] * 2 + ["Income:Unknown"])

    def again(self, first, second):
        """What a second import brings after the first was written to the journal."""
        before = import_statement(first, self.rules, Journal())
        written = write_transactions(before.new, Journal().commodities)
        return import_statement(second, self.rules, parse_text(written))

    def test_same_statement_again(self):
        found = self.again(TUESDAY, TUESDAY)
        self.assertEqual((len(found.new), found.known), (0, 4))

    def test_longer_statement(self):
        found = self.again(MONDAY, TUESDAY)
        self.assertEqual([each.payee for each in found.new], ["Employer"])
        self.assertEqual(found.known, 3)

    def test_other_rules_make_no_other_bookings(self):
        before = import_statement(MONDAY, self.rules, Journal())
        written = write_transactions(before.new, Journal().commodities).replace("Supermarket", "Rewe")
        self.assertEqual(import_statement(MONDAY, parse_rules(RULES.replace("rewe", "r")), parse_text(written)).new, [])
