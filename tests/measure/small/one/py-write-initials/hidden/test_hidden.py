import unittest

from names import @@FN@@, greeting, sort_key


class Cases(unittest.TestCase):
    def test_two_words(self):
        self.assertEqual(@@FN@@("grace hopper"), "G@@MARK@@H@@MARK@@")

    def test_three_words(self):
        self.assertEqual(@@FN@@("ada king lovelace"), "A@@MARK@@K@@MARK@@L@@MARK@@")

    def test_one_word(self):
        self.assertEqual(@@FN@@("plato"), "P@@MARK@@")

    def test_already_large(self):
        self.assertEqual(@@FN@@("Alan Turing"), "A@@MARK@@T@@MARK@@")

    def test_nothing(self):
        self.assertEqual(@@FN@@(""), "")

    def test_the_rest_stays(self):
        self.assertEqual(sort_key("Ada King Lovelace"), "lovelace ada king")
        self.assertEqual(greeting("Ada Lovelace"), "Hello Ada,")
        self.assertEqual(greeting("Ada Lovelace", formal=True), "Dear Ada Lovelace,")
