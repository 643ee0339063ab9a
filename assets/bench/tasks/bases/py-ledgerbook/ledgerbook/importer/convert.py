"""Makes transactions of rows."""

from __future__ import annotations

from typing import List

from ledgerbook.importer import identity
from ledgerbook.importer.reader import Row
from ledgerbook.importer.rules import Rules
from ledgerbook.model import CLEARED, Posting, Transaction


def convert(rows: List[Row], rules: Rules) -> List[Transaction]:
    """A transaction for each row, by date. Rows of one day stay in the order of the file."""
    names = identity.names_of(rows)
    transactions = [transaction_of(row, name, rules) for row, name in zip(rows, names)]
    return sorted(transactions, key=lambda transaction: transaction.date)


def transaction_of(row: Row, name: str, rules: Rules) -> Transaction:
    match = rules.match(row.payee, row.note)
    payee, note = row.payee, row.note
    other = rules.unknown_income if row.amount.quantity > 0 else rules.unknown_expense
    tags = {identity.TAG: name}
    if match is not None:
        payee = match.payee or payee
        note = note if match.note is None else match.note
        other = match.account or other
        tags.update(match.tags)
    return Transaction(
        date=row.date,
        payee=payee or "unknown",
        note=note,
        status=CLEARED,
        comment=", ".join(f"{name}: {value}".strip() for name, value in tags.items()),
        tags=tags,
        postings=[
            Posting(account=rules.account, amount=row.amount),
            Posting(account=other, amount=-row.amount),
        ],
    )
