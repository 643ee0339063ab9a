import pathlib
import re
import subprocess
import sys
import unittest

import crates
import report

HERE = pathlib.Path(__file__).parent


class Cases(unittest.TestCase):
    def test_new_name(self):
        self.assertEqual(crates.@@NEW@@("small", 11), 10)
        self.assertEqual(crates.@@NEW@@("large", 11), 8)

    def test_old_name_is_gone(self):
        self.assertFalse(hasattr(crates, "calc"))
        for name in ("crates.py", "report.py", "test_crates.py"):
            self.assertIsNone(re.search(r"\bcalc\b", (HERE / name).read_text()), name)

    def test_report(self):
        deliveries = [("plums", "large", 13), ("figs", "small", 3)]
        self.assertEqual(report.note(deliveries), "plums: 10 kg\nfigs: 2 kg\nall: 12 kg")

    def test_the_tests_came_along(self):
        ran = subprocess.run([sys.executable, "-m", "unittest", "test_crates"], cwd=HERE, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("Ran 0 tests", ran.stderr)

    def test_the_rest_stays(self):
        self.assertEqual(crates.price("small", 11, 2), 20)
        self.assertEqual(report.line("figs", "small", 3), "figs: 2 kg")
