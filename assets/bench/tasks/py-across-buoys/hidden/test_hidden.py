import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

from buoys.cli import main
from buoys.config import ConfigError, parse
from buoys.fleet import ask_all
from buoys.link import Link, NoAnswer
from buoys.settings import Settings
from buoys.show import show


class Opener:
    def __init__(self):
        self.seconds = []

    def __call__(self, host, seconds):
        self.seconds.append(seconds)
        raise OSError("silent")


class Renamed(unittest.TestCase):
    def main(self, text, *arguments, opener=None, code=0):
        out = io.StringIO()
        with tempfile.TemporaryDirectory(dir=".") as folder:
            path = os.path.join(folder, "b.conf")
            Path(path).write_text(text, encoding="utf-8")
            with contextlib.redirect_stdout(out):
                self.assertEqual(main([path, *arguments], opener), code)
        return out.getvalue()

    def test_new_key(self):
        self.assertEqual(parse("@@NEW@@ = 750").@@NEW@@, 750)

    def test_old_key(self):
        self.assertEqual(parse("timeout = 3").@@NEW@@, 3000)
        self.assertEqual(parse("timeout = 0.25").@@NEW@@, 250)
        self.assertIsInstance(parse("timeout = 2.5").@@NEW@@, int)

    def test_fractions_of_the_old_key_are_rounded_well(self):
        self.assertEqual(parse("timeout = 2.3").@@NEW@@, 2300)
        self.assertEqual(parse("timeout = 1.001").@@NEW@@, 1001)

    def test_both_keys(self):
        for text in ("timeout = 3\n@@NEW@@ = 3000", "@@NEW@@ = 1\ntimeout = 1"):
            with self.assertRaises(ConfigError):
                parse(text)

    def test_bad_values(self):
        for text in ("@@NEW@@ = 0", "@@NEW@@ = 2.5", "@@NEW@@ = soon", "@@NEW@@ = -4", "timeout = 0", "timeout = x", "timeout = -1"):
            with self.assertRaises(ConfigError, msg=text):
                parse(text)

    def test_default(self):
        self.assertEqual(parse("hosts = a").@@NEW@@, 5000)
        opener = Opener()
        with self.assertRaises(NoAnswer):
            Link("a", opener, tries=1).read()
        self.assertEqual(opener.seconds, [5])

    def test_link_takes_milliseconds_and_the_opener_gets_seconds(self):
        opener = Opener()
        with self.assertRaises(NoAnswer):
            Link("a", opener, @@NEW@@=1500, tries=3).read()
        self.assertEqual(opener.seconds, [1.5, 3, 6])

    def test_longest(self):
        opener = Opener()
        with self.assertRaises(NoAnswer):
            Link("a", opener, @@NEW@@=@@CAP@@ * 400, tries=4).read()
        self.assertEqual(opener.seconds, [@@CAP@@ * 0.4, @@CAP@@ * 0.8, @@CAP@@, @@CAP@@])

    def test_fleet(self):
        opener = Opener()
        lines = list(ask_all(Settings(hosts=("x",), @@NEW@@=200, tries=2), opener))
        self.assertEqual(lines, ["no answer from x: silent"])
        self.assertEqual(opener.seconds, [0.2, 0.4])

    def test_show(self):
        self.assertEqual(show(parse("hosts = a b\n@@NEW@@ = 1250")), "hosts = a b\n@@NEW@@ = 1250\ntries = 3")
        self.assertEqual(show(parse("timeout = 1000")), "hosts = \n@@NEW@@ = 1000000\ntries = 3")

    def test_command_line(self):
        opener = Opener()
        self.main("hosts = a\ntimeout = 9", "read", "--@@NEW@@", "300", "--tries", "1", opener=opener)
        self.assertEqual(opener.seconds, [0.3])
        self.assertIn("@@NEW@@ = 9000", self.main("timeout = 9", "show"))
        self.assertIn("buoys:", self.main("", "show", "--@@NEW@@", "1.5", code=1))

    def test_old_option_is_gone(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            self.main("", "show", "--timeout", "3")

    def test_old_field_is_gone(self):
        self.assertFalse(hasattr(Settings(), "timeout"))
        self.assertFalse(hasattr(Link("a", None), "timeout"))
        with self.assertRaises(TypeError):
            Link("a", None, timeout=3)
