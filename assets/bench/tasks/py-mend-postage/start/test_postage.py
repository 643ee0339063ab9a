import unittest

from postage import @@FUNC@@


class Postage(unittest.TestCase):
    def test_light(self):
        self.assertEqual(@@FUNC@@(20), 12)

    def test_exactly_at_the_limit(self):
        self.assertEqual(@@FUNC@@(@@MID@@), 19)

    def test_too_heavy(self):
        with self.assertRaises(ValueError):
            @@FUNC@@(2400)


if __name__ == "__main__":
    unittest.main()
