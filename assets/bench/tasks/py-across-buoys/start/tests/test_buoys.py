import unittest

from buoys.config import ConfigError, parse
from buoys.link import Link
from buoys.show import show


class Buoys(unittest.TestCase):
    def test_config(self):
        settings = parse("hosts = a b\ntimeout = 2.5 # short\n")
        self.assertEqual((settings.hosts, settings.timeout, settings.tries), (("a", "b"), 2.5, 3))

    def test_bad_config(self):
        for text in ("timeout = soon", "tries = 0", "speed = 3", "tries = 1\ntries = 2"):
            with self.assertRaises(ConfigError):
                parse(text)

    def test_show(self):
        self.assertEqual(show(parse("hosts = a")), "hosts = a\ntimeout = 5\ntries = 3")

    def test_each_try_waits_twice_as_long(self):
        asked = []

        def opener(host, seconds):
            asked.append(seconds)
            if len(asked) < 3:
                raise OSError("nothing")
            return "text"

        self.assertEqual(Link("a", opener, timeout=2).read(), "text")
        self.assertEqual(asked, [2, 4, 8])


if __name__ == "__main__":
    unittest.main()
