import unittest

from basket import Basket


class BasketTest(unittest.TestCase):
    def test_remove_what_is_not_there(self):
        basket = Basket()
        with self.assertRaises(KeyError):
            basket.remove("pear")
