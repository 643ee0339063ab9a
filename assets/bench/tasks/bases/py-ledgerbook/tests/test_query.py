import unittest

from ledgerbook.balances import select
from ledgerbook.errors import QueryError
from ledgerbook.query import parse_query
from tests.samples import TODAY, small


class Queries(unittest.TestCase):
    def setUp(self):
        self.journal = small().journal

    def found(self, *words):
        query = parse_query(words, TODAY)
        return [f"{transaction.payee}/{posting.account}" for transaction, posting in select(self.journal, query)]

    def test_accounts(self):
        self.assertEqual(self.found("food"), ["Baker/Expenses:Food:Groceries", "Trattoria/Expenses:Food:Restaurants"])
        self.assertEqual(len(self.found("^assets:bank", "rent")), 5)

    def test_terms_beside_each_other(self):
        self.assertEqual(self.found("food", "cash", "payee:baker"), ["Baker/Expenses:Food:Groceries", "Baker/Assets:Cash"])

    def test_amounts(self):
        self.assertEqual(len(self.found("amount:>=2000")), 4)
        self.assertEqual(self.found("amount:<-2000"), ["Opening/Equity:Opening"])
        self.assertEqual(self.found("amount:4.2", "expenses"), ["Baker/Expenses:Food:Groceries"])

    def test_status_tags_and_dates(self):
        self.assertEqual(len(self.found("status:pending")), 2)
        self.assertEqual(len(self.found("status:unmarked", "rent")), 1)
        self.assertEqual(len(self.found("tag:trip=verona")), 2)
        self.assertEqual(self.found("tag:trip=rome"), [])
        self.assertEqual(len(self.found("date:2024-02..", "expenses")), 2)

    def test_words_between(self):
        self.assertEqual(len(self.found("expenses", "not", "food")), 1)
        self.assertEqual(len(self.found("payee:baker", "or", "payee:landlord", "and", "rent")), 3)
        self.assertEqual(len(self.found("(payee:baker", "or", "payee:landlord)", "and", "expenses")), 2)

    def test_expressions_keep_their_brackets(self):
        self.assertEqual(len(self.found("food:(groc|rest)")), 2)

    def test_refused(self):
        for words in (["not"], ["a", "or"], ["(", "a"], ["a", ")"], ["amount:x"], ["status:x"], ["tag:"], ["date:x"], ["["]):
            with self.assertRaises(QueryError, msg=str(words)):
                parse_query(words, TODAY)

    def test_nothing(self):
        self.assertIsNone(parse_query([], TODAY))
