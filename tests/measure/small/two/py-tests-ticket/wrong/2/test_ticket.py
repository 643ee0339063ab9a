import unittest

from ticket import ticket


class Ticket(unittest.TestCase):
    def test_ages(self):
        self.assertEqual(ticket(10), 3)
        self.assertEqual(ticket(30), 6)

    def test_negative(self):
        with self.assertRaises(ValueError):
            ticket(-1)
