"""Postings for other programs: CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, Dict, Iterable, List

from ledgerbook.amounts import Amount
from ledgerbook.balances import Item
from ledgerbook.model import STATUS_NAMES, Posting, Transaction

COLUMNS = ("date", "status", "@@WORD@@", "payee", "note", "account", "quantity", "commodity", "comment")


def plain(amount: Amount) -> str:
    """The quantity with a point and without groups, whatever the journal has."""
    return format(amount.quantity, "f")


def posting_row(transaction: Transaction, posting: Posting) -> List[str]:
    """A posting as a row of COLUMNS."""
    return [
        transaction.date.isoformat(),
        STATUS_NAMES[transaction.posting_status(posting)],
        transaction.@@WORD@@,
        transaction.payee,
        transaction.note,
        posting.account,
        plain(posting.amount) if posting.amount is not None else "",
        posting.amount.commodity if posting.amount is not None else "",
        (posting.comment or transaction.comment).replace("\n", " / "),
    ]


def to_csv(items: Iterable[Item]) -> str:
    """A row for each posting."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for transaction, posting in items:
        writer.writerow(posting_row(transaction, posting))
    return out.getvalue()


def posting_object(transaction: Transaction, posting: Posting) -> Dict[str, Any]:
    made: Dict[str, Any] = {
        "account": posting.account,
        "quantity": plain(posting.amount) if posting.amount is not None else None,
        "commodity": posting.amount.commodity if posting.amount is not None else None,
    }
    if posting.cost is not None:
        made["cost"] = {
            "quantity": plain(posting.cost.amount),
            "commodity": posting.cost.amount.commodity,
            "total": posting.cost.is_total,
        }
    tags = transaction.posting_tags(posting)
    if tags:
        made["tags"] = tags
    return made


def transaction_object(transaction: Transaction) -> Dict[str, Any]:
    return {
        "date": transaction.date.isoformat(),
        "status": STATUS_NAMES[transaction.status],
        "@@WORD@@": transaction.@@WORD@@,
        "payee": transaction.payee,
        "note": transaction.note,
        "postings": [posting_object(transaction, posting) for posting in transaction.postings],
    }


def to_json(transactions: Iterable[Transaction]) -> str:
    """A list of transactions."""
    objects = [transaction_object(transaction) for transaction in transactions]
    return json.dumps(objects, indent=2, ensure_ascii=False) + "\n"
