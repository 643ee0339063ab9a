import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
TEXT = "The cat and the dog and the mouse.\nA mouse ran to the attic, a cat to the dog.\n"


class Cases(unittest.TestCase):
    def run_it(self, *options):
        with tempfile.TemporaryDirectory(dir=HERE) as folder:
            file = pathlib.Path(folder, "text")
            file.write_text(TEXT)
            command = [sys.executable, "common.py", *options, str(file)]
            ran = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines()

    def test_option(self):
        self.assertEqual(self.run_it("--@@OPT@@", "4"), ["2 mouse", "1 attic"])
        self.assertEqual(self.run_it("--@@OPT@@", "5"), ["2 mouse", "1 attic"])

    def test_option_with_number(self):
        self.assertEqual(self.run_it("--@@OPT@@", "3", "-n", "2"), ["5 the", "2 and"])
        self.assertEqual(self.run_it("--@@OPT@@", "4", "-n", "2"), ["2 mouse", "1 attic"])

    def test_without_it(self):
        wanted = ["5 the", "2 a", "2 and", "2 cat", "2 dog", "2 mouse", "2 to", "1 attic", "1 ran"]
        self.assertEqual(self.run_it(), wanted)
        self.assertEqual(self.run_it("--number", "1"), ["5 the"])

    def test_nothing_is_long_enough(self):
        self.assertEqual(self.run_it("--@@OPT@@", "6"), [])

    def test_function_as_before(self):
        from common import most_common, words_of

        self.assertEqual(most_common(["b", "a", "b"], 2), [("b", 2), ("a", 1)])
        self.assertEqual(words_of("A bee"), ["a", "bee"])
