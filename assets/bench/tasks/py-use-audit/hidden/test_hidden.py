import csv
import unittest
from pathlib import Path

LETTERS = "ACDEFHJKLMNPRTUVWXY"


def code(number):
    return number + "-" + LETTERS[sum((i + 2) * int(d) for i, d in enumerate(number)) % 19]


def rows(place):
    with open(Path("stock") / f"{place}.csv", encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file) if row]


def repaired(row):
    made = row.split(",")
    return (code(made[0][:4]), made[1], made[2])


class Stock(unittest.TestCase):
    def test_north(self):
        self.assertIn(repaired("@@NUM_A@@-V,bucket,4"), rows("north"))

    def test_south(self):
        self.assertIn(repaired("@@NUM_B@@-L,thermometer,8"), rows("south"))
        self.assertIn(repaired("@@NUM_C@@-R,spade,12"), rows("south"))

    def test_every_letter(self):
        for place in ("north", "south", "cellar"):
            for row in rows(place)[1:]:
                self.assertEqual(row[0], code(row[0][:4]), place)

    def test_moved_tool_stays_where_it_is(self):
        self.assertIn((code("4374"), "ladder", "8"), rows("cellar"))
        self.assertNotIn("4374", [row[0][:4] for row in rows("north")])

    def test_nothing_else_is_lost(self):
        self.assertEqual([len(rows(place)) for place in ("north", "south", "cellar")], [14, 14, 16])
        self.assertEqual(rows("north")[0], ("code", "thing", "count"))
        self.assertEqual(rows("north")[-1], (code("8353"), "trowel", "5"))
        self.assertEqual(rows("south")[1], (code("2199"), "cane bundle", "2"))
        self.assertEqual(rows("cellar")[1], (code("6072"), "sharpening stone", "11"))

    def test_order_is_kept(self):
        self.assertEqual([row[1] for row in rows("south")[1:6]], ["cane bundle", "trug", "gloves", "thermometer", "tarpaulin"])
