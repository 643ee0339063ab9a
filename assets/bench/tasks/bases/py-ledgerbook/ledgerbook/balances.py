"""Sums of postings: by account, by period, and running."""

from __future__ import annotations

from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from ledgerbook import accounts
from ledgerbook.amounts import Balance
from ledgerbook.model import Journal, Posting, Transaction
from ledgerbook.periods import Period
from ledgerbook.query import Query

Item = Tuple[Transaction, Posting]


def select(journal: Journal, query: Optional[Query] = None, period: Period = Period()) -> List[Item]:
    """The postings that a report is about, by date."""
    return [
        (transaction, posting)
        for transaction, posting in journal.postings()
        if transaction.date in period and (query is None or query.matches(transaction, posting))
    ]


def by_account(items: Iterable[Item], levels: Optional[int] = None) -> Dict[str, Balance]:
    """What was posted to each account. Deeper ones count for the account at that depth."""
    sums: Dict[str, Balance] = {}
    for _, posting in items:
        if posting.amount is not None:
            sums.setdefault(accounts.clipped(posting.account, levels), Balance()).add(posting.amount)
    return sums


def by_kind(sums: Dict[str, Balance], roots: Optional[Dict[str, str]] = None) -> Dict[Optional[str], Balance]:
    """The same by kind of account."""
    kinds: Dict[Optional[str], Balance] = {}
    for name, balance in sums.items():
        kinds.setdefault(accounts.kind(name, roots), Balance()).add(balance)
    return kinds


def by_period(items: Sequence[Item], periods: Sequence[Period], levels: Optional[int]) -> Dict[str, List[Balance]]:
    """What was posted to each account in each period."""
    table: Dict[str, List[Balance]] = {}
    for transaction, posting in items:
        if posting.amount is None:
            continue
        at = _index(periods, transaction)
        if at is None:
            continue
        name = accounts.clipped(posting.account, levels)
        cells = table.setdefault(name, [Balance() for _ in periods])
        cells[at].add(posting.amount)
    return table


def _index(periods: Sequence[Period], transaction: Transaction) -> Optional[int]:
    for at, period in enumerate(periods):
        if transaction.date in period:
            return at
    return None


def cumulated(cells: Sequence[Balance], opening: Optional[Balance] = None) -> List[Balance]:
    """What an account holds at the end of each period."""
    running = Balance() if opening is None else opening.copy()
    held = []
    for cell in cells:
        running = running + cell
        held.append(running)
    return held


def running(items: Iterable[Item], opening: Optional[Balance] = None) -> Iterable[Tuple[Item, Balance]]:
    """Each posting with the sum up to it."""
    total = Balance() if opening is None else opening.copy()
    for item in items:
        amount = item[1].amount
        if amount is not None:
            total.add(amount)
        yield item, total.copy()


def column_totals(table: Dict[str, List[Balance]], columns: int) -> List[Balance]:
    """The sum of each column."""
    totals = [Balance() for _ in range(columns)]
    for cells in table.values():
        for at, cell in enumerate(cells):
            totals[at].add(cell)
    return totals


def items_total(items: Iterable[Item]) -> Balance:
    """The sum of all postings."""
    return Balance(posting.amount for _, posting in items if posting.amount is not None)
