import unittest

from plan import Plan


class PlanTest(unittest.TestCase):
    def test_a_day_that_is_taken(self):
        plan = Plan()
        plan.@@PUT@@("monday", "Kim")
        with self.assertRaises(ValueError):
            plan.@@PUT@@("monday", "Lou")
