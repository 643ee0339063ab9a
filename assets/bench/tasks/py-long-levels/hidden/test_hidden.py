import unittest

from records import RECORDS, RecordError, decode, encode

FACTOR = {"ft": 0.3048, "fm": 1.8288}["@@UNIT@@"]


def values(code, *fields):
    return decode(encode(code, *fields))[1]


class Levels(unittest.TestCase):
    def test_metres(self):
        self.assertEqual(
            values("@@CODE@@", 1.234, 0.1, 9, "ice", "m"),
            {"level": 1.234, "change": 0.1, "temperature": 9, "state": "ice"},
        )

    def test_other_unit(self):
        self.assertEqual(
            values("@@CODE@@", 10, -1, 8.5, "ok", "@@UNIT@@"),
            {"level": round(10 * FACTOR, 2), "change": round(-FACTOR, 2), "temperature": 8.5, "state": "ok"},
        )

    def test_rounded(self):
        self.assertEqual(values("@@CODE@@", 7.77, 3.3, 8.5, "ok", "@@UNIT@@")["level"], round(7.77 * FACTOR, 2))
        self.assertEqual(values("@@CODE@@", 7.77, 3.3, 8.5, "ok", "@@UNIT@@")["change"], round(3.3 * FACTOR, 2))

    def test_without_unit(self):
        self.assertEqual(
            values("@@CODE@@", 3.333, -0.02, 4, "flood"),
            {"level": 3.333, "change": -0.02, "temperature": 4, "state": "flood"},
        )

    def test_unknown_unit(self):
        for unit in ("yd", "", "M", "km", *({"ft", "fm"} - {"@@UNIT@@"})):
            with self.assertRaises(RecordError):
                values("@@CODE@@", 1, 1, 1, "ok", unit)

    def test_number_of_fields(self):
        for fields in ((1, 1, 1), (1, 1, 1, "ok", "m", "m")):
            with self.assertRaises(RecordError):
                values("@@CODE@@", *fields)

    def test_its_neighbours_have_no_unit(self):
        for code in ("LVL", "LVW"):
            self.assertEqual(RECORDS[code][0], (4,))
        self.assertEqual(values("LVW", 2, 1, 8, "ok")["level"], -2)
        self.assertEqual(values("LVX", 2, 1, 50), {"level": 2, "change": 1, "full": 50})

    def test_all_records_are_there(self):
        self.assertEqual(len(RECORDS), 69)
