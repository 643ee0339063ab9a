import contextlib
import io
import json
import os
import tempfile
import unittest

from nursery.cli import main
from nursery.plant import Plant
from nursery.stock import add

OLD = "number,name,pots,price\n7,Iris sibirica,6,550\n9,Aster amellus,3,480\n"
NEW = "number,name,pots,price,@@FIELD@@\n7,Iris sibirica,6,550,Nordhof\n9,Aster amellus,3,480,\n"


class Field(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=".")
        self.path = os.path.join(self.folder.name, "plants.csv")

    def tearDown(self):
        self.folder.cleanup()

    def put(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)

    def content(self):
        with open(self.path, encoding="utf-8") as file:
            return file.read()

    def run_it(self, *arguments, code=0):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(main(["-f", self.path, *arguments]), code)
        return out.getvalue()

    def rows(self, *arguments):
        return [line.split() for line in self.run_it(*arguments).splitlines()]

    def test_old_file_is_read(self):
        self.put(OLD)
        rows = self.rows("list")
        self.assertEqual(rows[0], ["no", "name", "pots", "price", "@@FIELD@@"])
        self.assertEqual(rows[1], ["7", "Iris", "sibirica", "6", "5.50", "@@UNKNOWN@@"])

    def test_new_file_is_read(self):
        self.put(NEW)
        rows = self.rows("list")
        self.assertEqual([row[-1] for row in rows], ["@@FIELD@@", "Nordhof", "@@UNKNOWN@@"])

    def test_column_is_left_aligned(self):
        self.put(NEW)
        lines = self.run_it("list").splitlines()
        self.assertEqual(lines[0].index("@@FIELD@@"), lines[1].index("Nordhof"))

    def test_add_with_it(self):
        self.put(OLD)
        self.run_it("add", "Salvia", "--price", "4", "--@@FIELD@@", "Haus am See")
        self.assertEqual(
            self.content(),
            "number,name,pots,price,@@FIELD@@\n7,Iris sibirica,6,550,\n9,Aster amellus,3,480,\n10,Salvia,1,400,Haus am See\n",
        )

    def test_add_without_it(self):
        self.put(NEW)
        self.run_it("add", "Salvia", "--price", "4")
        self.assertEqual(self.content(), NEW + "10,Salvia,1,400,\n")

    def test_selling_keeps_it(self):
        self.put(NEW)
        self.run_it("sell", "7", "2")
        self.assertIn("7,Iris sibirica,4,550,Nordhof\n", self.content())

    def test_more_of_the_same_keeps_it(self):
        self.put(NEW)
        self.run_it("add", "Iris sibirica", "--pots", "2", "--price", "5.50", "--@@FIELD@@", "Nordhof")
        self.assertIn("7,Iris sibirica,8,550,Nordhof\n", self.content())

    def test_find(self):
        self.put(NEW)
        self.assertEqual([row[0] for row in self.rows("find", "nordH")], ["no", "7"])
        self.assertEqual([row[0] for row in self.rows("find", "aster")], ["no", "9"])

    def test_find_does_not_look_into_what_is_only_shown(self):
        self.put(OLD)
        self.assertEqual(len(self.rows("find", "@@UNKNOWN@@x")), 1)
        self.assertEqual(len(self.rows("find", "@@UNKNOWN@@")), 1)

    def test_export(self):
        self.put(NEW)
        plants = json.loads(self.run_it("export"))
        self.assertEqual([plant["@@FIELD@@"] for plant in plants], ["Nordhof", ""])
        self.assertEqual(list(plants[0]), ["number", "name", "pots", "price", "@@FIELD@@"])

    def test_other_columns_are_an_error(self):
        self.put("number,name,price\n1,Acer,300\n")
        self.assertIn("nursery:", self.run_it("list", code=1))
        self.put("number,name,pots,price,colour\n1,Acer,3,300,red\n")
        self.assertIn("nursery:", self.run_it("list", code=1))

    def test_code_that_knows_nothing_of_it(self):
        plants, plant = add([Plant(1, "Acer", 1, 900)], "Betula", 2, 700)
        self.assertEqual(plant.@@FIELD@@, "")
        self.assertEqual(Plant(1, "Acer", 1, 900).@@FIELD@@, "")
