import unittest

from calculator import CalcError, Calculator


def run(line):
    return Calculator().run(line)


class Words(unittest.TestCase):
    def test_stack(self):
        self.assertEqual(run("1 2 swap over"), [2, 1, 2])

    def test_mean_bearing(self):
        self.assertEqual(run("90 180 add 2 div"), [135])

    def test_angles(self):
        self.assertEqual(run("-90 @@WRAP@@"), [270])
        self.assertEqual(run("450 @@WRAP@@"), [90])
        self.assertEqual(run("270 signed"), [-90])

    def test_an_error_leaves_the_stack(self):
        calculator = Calculator()
        calculator.run("4 0")
        with self.assertRaises(CalcError):
            calculator.word("div")
        self.assertEqual(calculator.stack, [4, 0])


if __name__ == "__main__":
    unittest.main()
