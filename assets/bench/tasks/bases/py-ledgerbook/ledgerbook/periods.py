"""Spans of time: from one day to before another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import List, Optional

from ledgerbook.dates import parse_day_word, start_of, step
from ledgerbook.errors import DateError

YEAR = re.compile(r"\d{4}")
QUARTER = re.compile(r"(\d{4})-?[qQ]([1-4])")
MONTH = re.compile(r"(\d{4})[-/](\d{1,2})")
WORDS = {"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"}


@dataclass(frozen=True)
class Period:
    """`start` belongs to it, `end` does not. An open side is None."""

    start: Optional[date] = None
    end: Optional[date] = None

    def __contains__(self, day: date) -> bool:
        if self.start is not None and day < self.start:
            return False
        return self.end is None or day < self.end

    def is_open(self) -> bool:
        return self.start is None or self.end is None

    def days(self) -> int:
        if self.start is None or self.end is None:
            raise ValueError("an open period has no number of days")
        return (self.end - self.start).days

    def within(self, other: "Period") -> "Period":
        """The part that both have in common."""
        starts = [day for day in (self.start, other.start) if day is not None]
        ends = [day for day in (self.end, other.end) if day is not None]
        start = max(starts) if starts else None
        end = min(ends) if ends else None
        if start is not None and end is not None and end < start:
            end = start
        return Period(start, end)

    def last_day(self) -> date:
        if self.end is None:
            raise ValueError("an open period has no last day")
        return self.end - timedelta(days=1)


def parse_period(text: str, today: date) -> Period:
    """`2024`, `2024-03`, `2024-Q1`, `2024-03-05`, `FROM..TO`, `this month`, `last year`.

    The end of `FROM..TO` is not included; each side may be missing.
    """
    text = text.strip()
    if ".." in text:
        left, _, right = text.partition("..")
        start = parse_start(left, today) if left.strip() else None
        end = parse_start(right, today) if right.strip() else None
        if start is not None and end is not None and end < start:
            raise DateError(f"period '{text}' ends before it begins")
        return Period(start, end)
    words = text.lower().split()
    if len(words) == 2 and words[0] in ("this", "last", "next") and words[1] in WORDS:
        unit = WORDS[words[1]]
        start = start_of(today, unit)
        start = step(start, unit, {"this": 0, "last": -1, "next": 1}[words[0]])
        return Period(start, step(start, unit))
    if YEAR.fullmatch(text):
        start = _first(int(text), 1, text)
        return Period(start, step(start, "year"))
    match = QUARTER.fullmatch(text)
    if match:
        start = _first(int(match[1]), int(match[2]) * 3 - 2, text)
        return Period(start, step(start, "quarter"))
    match = MONTH.fullmatch(text)
    if match:
        start = _first(int(match[1]), int(match[2]), text)
        return Period(start, step(start, "month"))
    day = parse_day_word(text, today)
    return Period(day, step(day, "day"))


def parse_start(text: str, today: date) -> date:
    """The first day of what is written: `2024-03` is the first of March."""
    period = parse_period(text, today)
    if period.start is None:
        raise DateError(f"'{text}' has no beginning")
    return period.start


def _first(year: int, month: int, text: str) -> date:
    try:
        return date(year, month, 1)
    except ValueError:
        raise DateError(f"'{text}' is no period") from None


def split(period: Period, unit: str) -> List[Period]:
    """The whole units that cover a closed period, in order."""
    if period.start is None or period.end is None:
        raise ValueError("only closed periods can be split")
    parts = []
    start = start_of(period.start, unit)
    while start < period.end:
        end = step(start, unit)
        parts.append(Period(start, end))
        start = end
    return parts


def label(period: Period, unit: str) -> str:
    """How a unit is called at the head of a column."""
    start = period.start
    if start is None:
        return "before"
    if unit == "day":
        return start.isoformat()
    if unit == "week":
        year, week, _ = start.isocalendar()
        return f"{year}-W{week:02}"
    if unit == "month":
        return f"{start.year}-{start.month:02}"
    if unit == "quarter":
        return f"{start.year}-Q{(start.month - 1) // 3 + 1}"
    return str(start.year)
