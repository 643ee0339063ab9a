"""Names by which the rows of a statement are known again.

The name is made of what the bank says of a booking, not of what the rules make of it: so the rules may change, and
people may edit what was imported. Two coffees of the same price on one day are two bookings; they are told apart by a
number.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Dict, Iterable, List, Tuple

from ledgerbook.importer.reader import Row

TAG = "@@TAG@@"
LENGTH = 12


def names_of(rows: Iterable[Row]) -> List[str]:
    """The name of each row, in their order."""
    seen: Dict[Tuple[str, ...], int] = {}
    names = []
    for row in rows:
        key = content_of(row)
        count = seen.get(key, 0)
        seen[key] = count + 1
        names.append(name_of(row, count))
    return names


def name_of(row: Row, count: int) -> str:
    """The name of the row that is number `count` of its like."""
    text = "\x1f".join([*content_of(row), str(count)])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:LENGTH]


def content_of(row: Row) -> Tuple[str, ...]:
    """What makes a booking the one it is."""
    return (
        row.date.isoformat(),
        plain_number(row.amount.quantity),
        row.amount.commodity,
        row.payee.casefold(),
        row.note.casefold(),
    )


def plain_number(quantity: Decimal) -> str:
    """The same text for `7.5` and `7.50`."""
    return format(quantity.normalize(), "f") if quantity else "0"
