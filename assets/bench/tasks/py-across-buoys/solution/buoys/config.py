"""The configuration: lines of `key = value`."""

from buoys.settings import Settings


class ConfigError(Exception):
    pass


def positive_number(text):
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < 1000000:
        raise ConfigError(f"not a number above 0: {text}")
    return number


def positive_whole(text):
    if not text.isdecimal() or int(text) == 0:
        raise ConfigError(f"not a whole number above 0: {text}")
    return int(text)


# The name and the unit of former versions.
OLD_KEY = "timeout"

READERS = {
    "hosts": lambda text: tuple(text.split()),
    "@@NEW@@": positive_whole,
    OLD_KEY: lambda text: max(1, round(positive_number(text) * 1000)),
    "tries": positive_whole,
}


def parse(text):
    values = {}
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or key not in READERS:
            raise ConfigError(f"not understood: {line}")
        if key in values:
            raise ConfigError(f"twice: {key}")
        values[key] = READERS[key](value)
    if OLD_KEY in values:
        if "@@NEW@@" in values:
            raise ConfigError(f"{OLD_KEY} and @@NEW@@ are the same: only one of them")
        values["@@NEW@@"] = values.pop(OLD_KEY)
    return Settings(**values)
