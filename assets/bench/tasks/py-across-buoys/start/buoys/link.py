"""A way to one buoy."""

from buoys.patience import waits


class NoAnswer(Exception):
    pass


class Link:
    """`opener(host, seconds)` gives the text of the buoy or raises OSError; urllib and the radio both come as one."""

    def __init__(self, host, opener, timeout=5.0, tries=3):
        self.host = host
        self.opener = opener
        self.timeout = timeout
        self.tries = tries

    def read(self):
        for seconds in waits(self.timeout, self.tries):
            try:
                return self.opener(self.host, seconds)
            except OSError as error:
                last = error
        raise NoAnswer(f"{self.host}: {last}")
