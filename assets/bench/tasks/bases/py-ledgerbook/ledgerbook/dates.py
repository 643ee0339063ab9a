"""Dates as they are written in journals and on the command line."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta
from typing import Optional

from ledgerbook.errors import DateError

FULL = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
SHORT = re.compile(r"(\d{1,2})[-/.](\d{1,2})")

UNITS = ("day", "week", "month", "quarter", "year")


def parse_date(text: str, default_year: Optional[int] = None) -> date:
    """`2024-03-05`, `2024/3/5`, or `03-05` where a year is known."""
    text = text.strip()
    match = FULL.fullmatch(text)
    if match:
        return _date(int(match[1]), int(match[3]), int(match[4]), text)
    match = SHORT.fullmatch(text)
    if match:
        if default_year is None:
            raise DateError(f"date '{text}' has no year")
        return _date(default_year, int(match[1]), int(match[2]), text)
    raise DateError(f"'{text}' is no date")


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise DateError(f"there is no day '{text}'") from None


def parse_day_word(text: str, today: date) -> date:
    """A date, or one of the words `today`, `yesterday`, `tomorrow`."""
    word = text.strip().lower()
    words = {"today": 0, "yesterday": -1, "tomorrow": 1}
    if word in words:
        return today + timedelta(days=words[word])
    return parse_date(text, today.year)


def days_in_month(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def add_months(day: date, months: int, anchor: Optional[int] = None) -> date:
    """So many months later. `anchor` is the day of the month that is wanted; shorter months end earlier."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    wanted = anchor or day.day
    return date(year, month, min(wanted, days_in_month(year, month)))


def step(day: date, unit: str, count: int = 1, anchor: Optional[int] = None) -> date:
    """`count` units later."""
    if unit == "day":
        return day + timedelta(days=count)
    if unit == "week":
        return day + timedelta(weeks=count)
    if unit == "month":
        return add_months(day, count, anchor)
    if unit == "quarter":
        return add_months(day, 3 * count, anchor)
    if unit == "year":
        return add_months(day, 12 * count, anchor)
    raise DateError(f"'{unit}' is no unit of time")


def start_of(day: date, unit: str) -> date:
    """The first day of the unit that `day` lies in. Weeks begin on Monday."""
    if unit == "day":
        return day
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
    if unit == "year":
        return date(day.year, 1, 1)
    raise DateError(f"'{unit}' is no unit of time")
