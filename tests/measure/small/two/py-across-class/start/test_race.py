import unittest

from people import Thing
from race import late, read, results


class Race(unittest.TestCase):
    def test_results(self):
        self.assertEqual(results(read(["Mo 12.5", "Al 11"])), ["Al", "Mo"])

    def test_beats(self):
        self.assertTrue(Thing("Al", 11).beats(late("Mo")))


if __name__ == "__main__":
    unittest.main()
