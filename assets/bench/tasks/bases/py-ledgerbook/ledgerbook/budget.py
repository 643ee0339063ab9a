"""Holds what was spent against what was meant to be spent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Dict, List, Optional, Sequence

from ledgerbook import accounts
from ledgerbook.amounts import Amount, Balance
from ledgerbook.balances import Item
from ledgerbook.dates import start_of, step
from ledgerbook.model import BudgetLine, Journal
from ledgerbook.periods import Period


@dataclass(frozen=True)
class BudgetRow:
    """One account in one span of time."""

    account: str
    planned: Amount
    actual: Amount

    def left(self) -> Amount:
        """Below zero: too much was spent."""
        return self.planned - self.actual

    def percent(self) -> Optional[int]:
        """How much of it is used up."""
        if self.planned.is_zero():
            return None
        return int((self.actual.quantity * 100 / self.planned.quantity).to_integral_value())


def planned(lines: Sequence[BudgetLine], period: Period) -> Dict[str, Balance]:
    """What may be spent in a closed period, by account. Parts of a unit count by their days."""
    sums: Dict[str, Balance] = {}
    for line in lines:
        share = share_of(line, period)
        if share:
            sums.setdefault(line.account, Balance()).add(line.amount.times(share))
    return sums


def share_of(line: BudgetLine, period: Period) -> Decimal:
    """How many units of the line lie in the period: 1 for a whole one, less for a part of it."""
    common = period.within(line.span)
    if common.start is None or common.end is None:
        raise ValueError("budgets need a closed period")
    share = Decimal(0)
    start = start_of(common.start, line.unit)
    while start < common.end:
        unit = Period(start, step(start, line.unit))
        part = unit.within(common)
        share += Decimal(part.days()) / Decimal(unit.days())
        start = step(start, line.unit)
    return share


def spent(items: Sequence[Item], account: str, period: Period) -> Balance:
    """What was posted to an account and to those below it."""
    total = Balance()
    for transaction, posting in items:
        if posting.amount is None or transaction.date not in period:
            continue
        if accounts.is_within(posting.account, account):
            total.add(posting.amount)
    return total


def rows(journal: Journal, items: Sequence[Item], period: Period) -> List[BudgetRow]:
    """A row for each account and commodity that has a budget in the period."""
    made = []
    for account, balance in sorted(planned(journal.budget, period).items()):
        actual = spent(items, account, period)
        for amount in balance:
            made.append(BudgetRow(account, amount, actual.amount(amount.commodity)))
    return made


def unbudgeted(journal: Journal, items: Sequence[Item], period: Period, kind: str = accounts.EXPENSES) -> Balance:
    """What was spent on accounts of that kind that no budget covers."""
    covered = list(planned(journal.budget, period))
    total = Balance()
    for transaction, posting in items:
        if posting.amount is None or transaction.date not in period:
            continue
        if accounts.kind(posting.account) != kind:
            continue
        if not any(accounts.is_within(posting.account, account) for account in covered):
            total.add(posting.amount)
    return total


def on_track(row: BudgetRow, period: Period, today: date) -> bool:
    """Whether no more is used up than time went by. Periods that are over are judged as a whole."""
    if period.start is None or period.end is None:
        raise ValueError("budgets need a closed period")
    if today >= period.end:
        return row.left().quantity >= 0
    if today < period.start:
        return True
    gone = Decimal(Period(period.start, today).days() + 1) / Decimal(period.days())
    return row.actual.quantity <= row.planned.quantity * gone
