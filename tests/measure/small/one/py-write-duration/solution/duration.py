"""Durations as people write them."""
import re


def seconds(text):
    """The seconds of a text like 1h30m; ValueError if it is none."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    if not text or not found:
        raise ValueError(f"not a duration: {text}")
    hours, minutes, rest = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + rest
