"""A journal in numbers."""

from __future__ import annotations

from collections import Counter
from typing import List, Tuple

from ledgerbook.model import STATUS_NAMES
from ledgerbook.reports.common import Wanted, items_of
from ledgerbook.session import Session
from ledgerbook.table import Column, Table


def stats_report(session: Session, wanted: Wanted) -> Table:
    table = Table([Column(), Column()])
    for name, value in figures(session, wanted):
        table.add(name, value)
    return table


def figures(session: Session, wanted: Wanted) -> List[Tuple[str, str]]:
    """What there is, in the order in which it is shown."""
    items = items_of(session, wanted)
    transactions = list({id(transaction): transaction for transaction, _ in items}.values())
    accounts = {posting.account for _, posting in items}
    commodities = {posting.amount.commodity for _, posting in items if posting.amount is not None}
    found = [
        ("Files", str(len(session.journal.files))),
        ("Transactions", str(len(transactions))),
        ("Postings", str(len(items))),
        ("Accounts", str(len(accounts))),
        ("Commodities", ", ".join(sorted(name for name in commodities if name)) or "none"),
        ("Prices", str(len(session.journal.prices))),
    ]
    if transactions:
        first, last = transactions[0].date, transactions[-1].date
        days = (last - first).days + 1
        found.append(("First", first.isoformat()))
        found.append(("Last", last.isoformat()))
        found.append(("A day", f"{len(transactions) / days:.2f}"))
        found.append(("Payees", _most_common([transaction.payee for transaction in transactions])))
        states = Counter(STATUS_NAMES[transaction.status] for transaction in transactions)
        found.append(("Status", ", ".join(f"{states[name]} {name}" for name in sorted(states))))
    return found


def _most_common(payees: List[str], limit: int = 3) -> str:
    counted = sorted(Counter(payees).items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} ({count})" for name, count in counted[:limit])
