"""What all reports take into account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import List, Optional

from ledgerbook.amounts import Balance
from ledgerbook.balances import Item, select
from ledgerbook.periods import Period
from ledgerbook.query import Query
from ledgerbook.session import Session


@dataclass
class Wanted:
    """What the user asked for."""

    query: Optional[Query] = None
    period: Period = Period()
    unit: str = "month"
    depth: Optional[int] = None
    exchange: Optional[str] = None
    """Amounts are shown in this commodity."""
    flat: bool = False
    empty: bool = False
    """Accounts that hold nothing are shown as well."""
    cumulative: bool = False
    reverse: bool = False


def items_of(session: Session, wanted: Wanted) -> List[Item]:
    return select(session.journal, wanted.query, wanted.period)


def items_before(session: Session, wanted: Wanted) -> List[Item]:
    """The same postings before the period begins."""
    if wanted.period.start is None:
        return []
    return select(session.journal, wanted.query, Period(None, wanted.period.start))


def valued(session: Session, wanted: Wanted, balance: Balance, day: date) -> Balance:
    """In the commodity that is wanted, at the prices of that day."""
    target = wanted.exchange or session.config.currency
    if target is None:
        return balance
    return session.prices.convert_balance(balance, target, day)


def shown(session: Session, balance: Balance) -> List[str]:
    return session.journal.commodities.format_balance(balance)


def valuation_day(session: Session, wanted: Wanted) -> date:
    """The last day of the report, but none that is still to come."""
    if wanted.period.end is None:
        return session.today
    return min(wanted.period.last_day(), session.today)
