"""The budget of a period, account by account."""

from __future__ import annotations

from ledgerbook import budget
from ledgerbook.amounts import Balance
from ledgerbook.balances import select
from ledgerbook.dates import start_of, step
from ledgerbook.periods import Period, label, split
from ledgerbook.reports.common import Wanted, shown
from ledgerbook.session import Session
from ledgerbook.table import Column, Table


def budget_report(session: Session, wanted: Wanted) -> Table:
    """Without a period: the current unit of time. A longer one has a part for each unit."""
    span = wanted.period
    if span.is_open():
        start = start_of(session.today, wanted.unit)
        span = Period(span.start or start, span.end or step(start, wanted.unit))
    table = Table(
        [
            Column("Period"),
            Column("Account", shrinks=True),
            Column("Budget", right=True),
            Column("Spent", right=True),
            Column("Left", right=True),
            Column("Used", right=True),
            Column(""),
        ]
    )
    for number, part in enumerate(split(span, wanted.unit)):
        if number:
            table.rule()
        _part(session, wanted, part.within(span), label(part, wanted.unit), table)
    return table


def _part(session: Session, wanted: Wanted, period: Period, name: str, table: Table) -> None:
    items = select(session.journal, wanted.query, period)
    show = session.journal.commodities.format
    for row in budget.rows(session.journal, items, period):
        percent = row.percent()
        table.add(
            name,
            row.account,
            show(row.planned),
            show(row.actual),
            show(row.left()),
            "" if percent is None else f"{percent}%",
            "" if budget.on_track(row, period, session.today) else "!",
        )
    rest: Balance = budget.unbudgeted(session.journal, items, period)
    if not rest.is_zero():
        table.add(name, "(no budget)", "", shown(session, rest), "", "", "")
