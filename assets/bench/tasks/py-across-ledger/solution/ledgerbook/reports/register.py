"""Postings one by one, with a running total."""

from __future__ import annotations

from ledgerbook.accounts import clipped
from ledgerbook.amounts import Balance
from ledgerbook.balances import Item, items_total, running
from ledgerbook.reports.common import Wanted, items_before, items_of, shown, valued
from ledgerbook.session import Session
from ledgerbook.table import Column, Table


def register_report(session: Session, wanted: Wanted) -> Table:
    """The postings of the query. With --cumulative, the total begins with what was before the period."""
    opening = items_total(items_before(session, wanted)) if wanted.cumulative else Balance()
    rows = list(running(items_of(session, wanted), opening))
    if wanted.reverse:
        rows.reverse()
    table = Table(
        [
            Column("Date"),
            Column("Description", shrinks=True),
            Column("Account", shrinks=True),
            Column("Amount", right=True),
            Column("Total", right=True),
        ]
    )
    last: object = None
    for (transaction, posting), total in rows:
        first = transaction is not last
        last = transaction
        amount = Balance() if posting.amount is None else Balance.of(posting.amount)
        table.add(
            transaction.date.isoformat() if first else "",
            _description((transaction, posting)) if first else "",
            clipped(posting.account, wanted.depth),
            shown(session, valued(session, wanted, amount, transaction.date)),
            shown(session, valued(session, wanted, total, transaction.date)),
        )
    return table


def _description(item: Item) -> str:
    transaction = item[0]
    marks = f"{transaction.status} " if transaction.status else ""
    return marks + transaction.numbered_description()
