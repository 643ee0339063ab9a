import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
TEXT = "2024-06-10,Boat, if dry\n2024-05-01,Dentist\n\n2023-12-31,Party\n2024-05-20,Choir\n"
PARTY, DENTIST = "2023-12-31  Party", "2024-05-01  Dentist"
CHOIR, BOAT = "2024-05-20  Choir", "2024-06-10  Boat, if dry"


class Cases(unittest.TestCase):
    def run_it(self, *options):
        with tempfile.TemporaryDirectory(dir=HERE) as folder:
            file = pathlib.Path(folder, "agenda")
            file.write_text(TEXT)
            command = [sys.executable, "agenda.py", *options, str(file)]
            ran = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines()

    def test_option(self):
        self.assertEqual(self.run_it("--@@OPT@@", "2024-05-02"), [CHOIR, BOAT])
        self.assertEqual(self.run_it("--@@OPT@@", "2024-01-01"), [DENTIST, CHOIR, BOAT])
        self.assertEqual(self.run_it("--@@OPT@@", "2025-01-01"), [])

    def test_the_day_itself(self):
        self.assertEqual(self.run_it("--@@OPT@@", "2024-05-20"), [CHOIR, BOAT])

    def test_with_the_other_option(self):
        self.assertEqual(self.run_it("--@@OPT@@", "2024-01-01", "--first", "2"), [DENTIST, CHOIR])

    def test_without_it(self):
        self.assertEqual(self.run_it(), [PARTY, DENTIST, CHOIR, BOAT])
        self.assertEqual(self.run_it("--first", "1"), [PARTY])

    def test_function_as_before(self):
        from agenda import entries_in

        self.assertEqual(entries_in(["2024-02-01,b\n", "", "2024-01-01, a"]), [("2024-01-01", "a"), ("2024-02-01", "b")])
