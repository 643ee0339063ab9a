import unittest

from watering import LIMIT_MM, @@FUNC@@


class Example(unittest.TestCase):
    def test_a_week_with_a_gap(self):
        rain = [LIMIT_MM, 1, 0, 0, LIMIT_MM + 3]
        self.assertEqual(@@FUNC@@(rain), [2, 3])


if __name__ == "__main__":
    unittest.main()
