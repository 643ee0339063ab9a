"""Accounts in rows, periods in columns."""

from __future__ import annotations

from typing import Dict, List

from ledgerbook.amounts import Balance, total
from ledgerbook.balances import by_account, by_period, column_totals, cumulated, select
from ledgerbook.periods import Period, label, split
from ledgerbook.reports.common import Wanted, items_before, shown, valued
from ledgerbook.session import Session
from ledgerbook.table import Column, Table


def trend_report(session: Session, wanted: Wanted) -> Table:
    """What was posted in each period, or with --cumulative, what was held at its end."""
    span = session.closed(wanted.period)
    periods = split(span, wanted.unit)
    # The first and the last unit may be wider than the period; only what lies in the period counts.
    items = select(session.journal, wanted.query, span)
    cells = by_period(items, periods, wanted.depth)
    if wanted.cumulative:
        cells = _held(session, wanted, cells, len(periods))
    cells = {name: _valued(session, wanted, row, periods) for name, row in cells.items()}
    columns = [Column("Account", shrinks=True)]
    columns += [Column(label(period, wanted.unit), right=True) for period in periods]
    if not wanted.cumulative:
        columns.append(Column("Total", right=True))
    table = Table(columns)
    for name in sorted(cells):
        _add(session, wanted, table, name, cells[name])
    table.rule()
    _add(session, wanted, table, "", column_totals(cells, len(periods)))
    return table


def _held(session: Session, wanted: Wanted, cells: Dict[str, List[Balance]], columns: int) -> Dict[str, List[Balance]]:
    """The same cells with what was there before. Accounts that were quiet all the time are in it, too."""
    opening = by_account(items_before(session, wanted), wanted.depth)
    names = set(cells) | set(opening)
    quiet = [Balance() for _ in range(columns)]
    return {name: cumulated(cells.get(name, quiet), opening.get(name)) for name in names}


def _valued(session: Session, wanted: Wanted, row: List[Balance], periods: List[Period]) -> List[Balance]:
    days = [min(period.last_day(), session.today) for period in periods]
    return [valued(session, wanted, cell, day) for cell, day in zip(row, days)]


def _add(session: Session, wanted: Wanted, table: Table, name: str, row: List[Balance]) -> None:
    shown_cells = [shown(session, cell) for cell in row]
    if not wanted.cumulative:
        shown_cells.append(shown(session, total(row)))
    table.add(name, *shown_cells)
