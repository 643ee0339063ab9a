import unittest

from tiles.app import make_app
from tiles.settings import Settings

Q = "?@@OPTION@@="


class Colours(unittest.TestCase):
    def setUp(self):
        self.app = make_app()

    def body(self, path):
        answer = self.app.get(path)
        self.assertEqual(answer.status, 200)
        return answer.body

    def drawn(self):
        return self.app.service.stats.drawn

    def test_light_then_other(self):
        light = self.body("1/1/0.txt")
        other = self.body("1/1/0.txt" + Q + "@@DARK@@")
        self.assertIn("~", light)
        self.assertIn("%", other)
        self.assertNotIn("~", other)

    def test_other_then_light(self):
        other = self.body("2/2/3.txt" + Q + "@@DARK@@")
        light = self.body("2/2/3.txt")
        self.assertIn("#", other)
        self.assertNotIn("#", light)

    def test_html(self):
        self.assertNotEqual(self.body("1/0/0.html"), self.body("1/0/0.html" + Q + "@@DARK@@"))

    def test_scaled_and_with_layers(self):
        for more in ("&scale=2", "&layers=water,roads", "&scale=3&layers=land"):
            light = self.body("0/0/0.txt" + Q + "light" + more)
            other = self.body("0/0/0.txt" + Q + "@@DARK@@" + more)
            self.assertNotEqual(light, other)
            self.assertEqual(len(light), len(other))

    def test_both_are_kept(self):
        for _ in range(4):
            self.body("3/1/1.txt")
            self.body("3/1/1.txt" + Q + "@@DARK@@")
        self.assertEqual(self.drawn(), 2)

    def test_usual_colours_by_name_are_the_same_picture(self):
        self.body("3/2/1.txt")
        self.body("3/2/1.txt" + Q + "light")
        self.assertEqual(self.drawn(), 1)

    def test_same_layers_in_another_order_are_the_same_picture(self):
        self.body("3/2/1.txt?layers=water,land")
        self.body("3/2/1.txt?layers=land,water")
        self.body("3/2/1.txt?layers=land,water&scale=1")
        self.assertEqual(self.drawn(), 1)

    def test_other_options_make_other_pictures(self):
        bodies = {self.body("0/0/0.txt" + query) for query in ("", "?scale=2", "?layers=land", "?layers=water")}
        self.assertEqual(len(bodies), 4)

    def test_the_shelf_has_its_size(self):
        app = make_app(Settings(kept=2))
        for path in ("1/0/0.txt", "1/0/1.txt", "1/1/1.txt"):
            app.get(path)
            app.get(path + Q + "@@DARK@@")
        self.assertEqual(len(app.service.shelf), 2)
