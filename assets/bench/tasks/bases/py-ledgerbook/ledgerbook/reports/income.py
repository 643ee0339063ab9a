"""Income and expenses of a period, the way people read them: both above zero."""

from __future__ import annotations

from typing import Dict

from ledgerbook import accounts
from ledgerbook.amounts import Balance, total
from ledgerbook.balances import by_account
from ledgerbook.reports.common import Wanted, items_of, shown, valuation_day, valued
from ledgerbook.session import Session
from ledgerbook.table import Column, Table


def income_report(session: Session, wanted: Wanted) -> Table:
    """Accounts of both kinds, largest first, with their sums and what is left."""
    day = valuation_day(session, wanted)
    sums = {
        name: valued(session, wanted, balance, day)
        for name, balance in by_account(items_of(session, wanted), wanted.depth).items()
    }
    earned = {name: -balance for name, balance in sums.items() if _kind(session, name) == accounts.INCOME}
    spent = {name: balance for name, balance in sums.items() if _kind(session, name) == accounts.EXPENSES}
    table = Table([Column("Account", shrinks=True), Column("Amount", right=True)])
    _part(session, table, "Income", earned)
    _part(session, table, "Expenses", spent)
    table.rule()
    table.add("Left", shown(session, total(earned.values()) - total(spent.values())))
    return table


def _kind(session: Session, name: str) -> object:
    return accounts.kind(name, session.config.roots)


def _part(session: Session, table: Table, title: str, sums: Dict[str, Balance]) -> None:
    table.add(title, shown(session, total(sums.values())))
    for name in sorted(sums, key=lambda name: (_size(sums[name]), name)):
        if not sums[name].is_zero():
            table.add("  " + name, shown(session, sums[name]))


def _size(balance: Balance) -> object:
    """For the order: the largest quantity first."""
    return -max((amount.quantity for amount in balance), default=0)
