import unittest

from plan import Plan


class PlanTest(unittest.TestCase):
    def setUp(self):
        self.plan = Plan()
        self.plan.@@PUT@@("monday", "Kim")
        self.plan.@@PUT@@("friday", "Lou")

    def test_swap(self):
        self.plan.swap("monday", "friday")
        self.assertEqual(self.plan.days_of("Kim"), ["friday"])
        self.assertEqual(self.plan.days_of("Lou"), ["monday"])

    def test_days_are_sorted(self):
        self.plan.@@PUT@@("sunday", "Kim")
        self.plan.@@PUT@@("thursday", "Kim")
        self.assertEqual(self.plan.days_of("Kim"), ["monday", "sunday", "thursday"])

    def test_a_day_that_is_taken(self):
        self.plan.@@PUT@@("tuesday", "Lou")


if __name__ == "__main__":
    unittest.main()
