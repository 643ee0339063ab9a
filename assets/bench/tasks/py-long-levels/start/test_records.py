import unittest

from records import RecordError, decode, encode


def values(code, *fields):
    return decode(encode(code, *fields))[1]


class Records(unittest.TestCase):
    def test_wind(self):
        self.assertEqual(values("WND", 270, 4.5, 7.1), {"direction": 270, "speed": 4.5, "gust": 7.1})

    def test_sum(self):
        with self.assertRaises(RecordError):
            decode("$WND,270,4.5,7.1*00")

    def test_level(self):
        self.assertEqual(
            values("@@CODE@@", 2.31, -0.04, 11.5, "ok"),
            {"level": 2.31, "change": -0.04, "temperature": 11.5, "state": "ok"},
        )

    def test_sounding(self):
        self.assertEqual(values("SND", 10, "mud", "ft"), {"depth": 3.05, "ground": "mud"})


if __name__ == "__main__":
    unittest.main()
