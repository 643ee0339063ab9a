"""What a buoy says: `height 1.3 period 6`"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wave:
    height: float
    period: float


def wave_of(text):
    words = text.split()
    values = dict(zip(words[::2], words[1::2]))
    return Wave(float(values["height"]), float(values["period"]))
