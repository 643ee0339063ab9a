"""A journal that is read, completed and checked, with everything the commands need beside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Optional

from ledgerbook.assertions import check_assertions
from ledgerbook.balancing import balance_journal
from ledgerbook.config import Config
from ledgerbook.errors import LedgerError
from ledgerbook.model import Journal
from ledgerbook.parser import parse_file, parse_text
from ledgerbook.periods import Period
from ledgerbook.prices import PriceBook
from ledgerbook.recurring import add_forecast


@dataclass
class Session:
    journal: Journal
    prices: PriceBook
    config: Config
    today: date

    def closed(self, period: Period) -> Period:
        """The period with open sides taken from the journal. An empty journal has today."""
        span = self.journal.span() or Period(self.today, date.fromordinal(self.today.toordinal() + 1))
        start = period.start if period.start is not None else span.start
        end = period.end if period.end is not None else span.end
        if start is not None and end is not None and end < start:
            end = start
        return Period(start, end)


def prepare(journal: Journal, config: Config, today: date, until: Optional[date] = None) -> Session:
    """Completes and checks a journal that was read."""
    balance_journal(journal)
    check_assertions(journal)
    if until is not None:
        add_forecast(journal, until)
    return Session(journal, PriceBook.of(journal), config, today)


def open_session(path: Optional[str], config: Config, today: date, until: Optional[date] = None) -> Session:
    """From a file: the given one, or that of the settings."""
    path = path or config.journal
    if path is None:
        raise LedgerError("no journal: name one with -f, or in the settings")
    return prepare(parse_file(path), config, today, until)


def session_of(text: str, today: date = date(2024, 12, 31), config: Optional[Config] = None) -> Session:
    """From a text, for scripts and tests."""
    return prepare(parse_text(text), config or Config(), today)
