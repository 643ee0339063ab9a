import unittest

from ticket import ticket


class Ticket(unittest.TestCase):
    def test_child(self):
        self.assertEqual(ticket(10), 3)

    def test_adult(self):
        self.assertEqual(ticket(30), 6)

    def test_senior(self):
        self.assertEqual(ticket(70), 4)

    def test_negative(self):
        with self.assertRaises(ValueError):
            ticket(-1)


if __name__ == "__main__":
    unittest.main()
