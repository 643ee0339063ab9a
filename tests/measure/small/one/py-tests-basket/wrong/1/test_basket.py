import unittest

from basket import Basket


class BasketTest(unittest.TestCase):
    def test_it_counts(self):
        basket = Basket()
        basket.@@ADD@@("pear")
        basket.@@ADD@@("pear", 2)
        self.assertEqual(len(basket), 3)

    def test_remove_takes_all(self):
        basket = Basket()
        basket.@@ADD@@("pear", 2)
        basket.@@ADD@@("plum")
        basket.remove("pear")
        self.assertEqual(len(basket), 1)

    def test_remove_what_is_not_there(self):
        basket = Basket()
        basket.@@ADD@@("pear")
        basket.remove("pear")


if __name__ == "__main__":
    unittest.main()
