"""Balances of accounts, as a tree or as a flat list."""

from __future__ import annotations

from ledgerbook.accounts import AccountTree, Node, clipped
from ledgerbook.amounts import Balance
from ledgerbook.balances import by_account
from ledgerbook.reports.common import Wanted, items_of, shown, valuation_day, valued
from ledgerbook.session import Session
from ledgerbook.table import Column, Table

INDENT = "  "


def balance_report(session: Session, wanted: Wanted) -> Table:
    """What each account holds, and the sum of all."""
    sums = by_account(items_of(session, wanted), wanted.depth if wanted.flat else None)
    day = valuation_day(session, wanted)
    sums = {name: valued(session, wanted, balance, day) for name, balance in sums.items()}
    if wanted.empty:
        for name in session.journal.accounts:
            sums.setdefault(clipped(name, wanted.depth), Balance())
    table = Table([Column("Balance", right=True), Column("Account", shrinks=True)])
    if wanted.flat:
        for name in sorted(sums):
            if wanted.empty or not sums[name].is_zero():
                table.add(shown(session, sums[name]), name)
    else:
        _tree(session, wanted, AccountTree(sums.items()), table)
    table.rule()
    table.add(shown(session, _total(sums.values())), "")
    return table


def _tree(session: Session, wanted: Wanted, tree: AccountTree, table: Table) -> None:
    """Accounts with only one below them and nothing of their own share its line."""
    if not wanted.empty:
        tree.prune(lambda node: not node.own.is_zero())

    def below(node: Node, level: int, depth: int, prefix: str) -> None:
        for child in node.sorted_children():
            name = prefix + child.name.rpartition(":")[2]
            is_last = wanted.depth is not None and depth + 1 >= wanted.depth
            if len(child.children) == 1 and child.own.is_zero() and not is_last and not wanted.empty:
                below(child, level, depth + 1, name + ":")
                continue
            table.add(shown(session, child.inclusive()), INDENT * level + name)
            if not is_last:
                below(child, level + 1, depth + 1, "")

    below(tree.root, 0, 0, "")


def _total(balances: object) -> Balance:
    total = Balance()
    for balance in balances:  # type: ignore[attr-defined]
        total.add(balance)
    return total
