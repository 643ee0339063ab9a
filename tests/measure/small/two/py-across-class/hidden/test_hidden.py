import pathlib
import re
import subprocess
import sys
import unittest

import people
import race

HERE = pathlib.Path(__file__).parent


class Cases(unittest.TestCase):
    def test_new_name(self):
        one = people.@@NEW@@("Al", 11)
        self.assertEqual((one.name, one.seconds), ("Al", 11))
        self.assertEqual(repr(one), "@@NEW@@('Al', 11)")

    def test_old_name_is_gone(self):
        self.assertFalse(hasattr(people, "Thing"))
        for name in ("people.py", "race.py", "test_race.py"):
            self.assertIsNone(re.search(r"\bThing\b", (HERE / name).read_text()), name)

    def test_race(self):
        self.assertIsInstance(race.read(["Mo 12.5"])[0], people.@@NEW@@)
        self.assertIsInstance(race.late("Mo"), people.@@NEW@@)

    def test_the_tests_came_along(self):
        ran = subprocess.run([sys.executable, "-m", "unittest", "test_race"], cwd=HERE, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("Ran 0 tests", ran.stderr)

    def test_the_rest_stays(self):
        self.assertEqual(race.results(race.read(["Mo 12.5", "Al 11", "Ed 12"])), ["Al", "Ed", "Mo"])
        self.assertTrue(race.read(["Al 11"])[0].beats(race.late("Mo")))
