"""What one owns and owes at the end of each period."""

from __future__ import annotations

from typing import List

from ledgerbook import accounts
from ledgerbook.amounts import Balance
from ledgerbook.balances import by_account, by_kind, select
from ledgerbook.periods import Period, label, split
from ledgerbook.reports.common import Wanted, shown, valued
from ledgerbook.session import Session
from ledgerbook.table import Column, Table


def networth_report(session: Session, wanted: Wanted) -> Table:
    """Assets, liabilities and their sum, at the prices of the last day of each period."""
    span = session.closed(wanted.period)
    table = Table(
        [
            Column("Period"),
            Column("Assets", right=True),
            Column("Liabilities", right=True),
            Column("Net worth", right=True),
        ]
    )
    for period in split(span, wanted.unit):
        owned, owed = _at_end(session, wanted, period)
        table.add(label(period, wanted.unit), shown(session, owned), shown(session, owed), shown(session, owned + owed))
    return table


def _at_end(session: Session, wanted: Wanted, period: Period) -> List[Balance]:
    items = select(session.journal, wanted.query, Period(None, period.end))
    kinds = by_kind(by_account(items), session.config.roots)
    day = min(period.last_day(), session.today)
    return [
        valued(session, wanted, kinds.get(kind, Balance()), day) for kind in (accounts.ASSETS, accounts.LIABILITIES)
    ]
