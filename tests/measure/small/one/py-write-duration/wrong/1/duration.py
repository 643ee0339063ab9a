import re

UNITS = {"h": 3600, "m": 60, "s": 1}


def seconds(text):
    parts = re.findall(r"(\d+)([hms])", text)
    if not parts:
        raise ValueError("not a duration")
    return sum(int(number) * UNITS[unit] for number, unit in parts)
