import unittest

from names import greeting, sort_key


class Names(unittest.TestCase):
    def test_sort_key(self):
        self.assertEqual(sort_key("Ada King Lovelace"), "lovelace ada king")

    def test_greeting(self):
        self.assertEqual(greeting("Ada Lovelace"), "Hello Ada,")
        self.assertEqual(greeting("Ada Lovelace", formal=True), "Dear Ada Lovelace,")


if __name__ == "__main__":
    unittest.main()
