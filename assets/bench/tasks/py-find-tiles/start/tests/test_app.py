import unittest

from tiles.app import make_app


class Answers(unittest.TestCase):
    def setUp(self):
        self.app = make_app()

    def test_tile(self):
        answer = self.app.get("0/0/0.txt")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.body.splitlines()[0], "..=..~~~")

    def test_other_colours(self):
        self.assertEqual(self.app.get("0/0/0.txt?@@OPTION@@=@@DARK@@").body.splitlines()[0], "##+##%%%")

    def test_kept(self):
        for _ in range(3):
            self.app.get("1/0/1.txt")
        self.assertEqual(self.app.service.stats.drawn, 1)

    def test_outside(self):
        self.assertEqual(self.app.get("1/2/0.txt").status, 400)


if __name__ == "__main__":
    unittest.main()
