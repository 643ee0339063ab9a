import unittest

from calculator import Calculator, words


def run(line):
    return Calculator().run(line)


class Bearings(unittest.TestCase):
    def test_full_turns(self):
        for start in (360, 720, 1080, 3600):
            self.assertEqual(run(f"{start} @@WRAP@@"), [0])

    def test_full_turns_backwards(self):
        for start in (-360, -720, 0):
            self.assertEqual(run(f"{start} @@WRAP@@"), [0])

    def test_other_directions(self):
        self.assertEqual(run("359.5 @@WRAP@@ 361 @@WRAP@@ -1 @@WRAP@@ 725 @@WRAP@@"), [359.5, 1, 359, 5])
        self.assertEqual(run("12 @@WRAP@@ -350 @@WRAP@@"), [12, 10])

    def test_deviation_is_as_before(self):
        self.assertEqual(run("180 signed -180 signed 540 signed 181 signed"), [180, 180, 180, -179])

    def test_hours_and_gap_are_as_before(self):
        self.assertEqual(run("24 hours -1 hours 49 hours"), [0, 23, 1])
        self.assertEqual(run("10 350 between 0 180 between"), [20, 180])

    def test_the_other_words_are_there(self):
        self.assertEqual(len(words()), 87)
        self.assertEqual(run("350 1 20 drift 7 2 mod"), [330, 1])
        self.assertEqual(run("3 1 2 sort depth"), [1, 2, 3, 3])
        self.assertEqual(run("2 8 3 tide"), [5])
