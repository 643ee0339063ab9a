"""Leaves out what the journal has already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, List, Set

from ledgerbook.importer.convert import convert
from ledgerbook.importer.identity import TAG
from ledgerbook.importer.reader import read_rows
from ledgerbook.importer.rules import Rules
from ledgerbook.model import Journal, Transaction


@dataclass
class Imported:
    """What an import brought."""

    new: List[Transaction]
    known: int
    """So many bookings were there already."""


def known_names(transactions: Iterable[Transaction]) -> Set[str]:
    """The names of all bookings that were imported before."""
    names = set()
    for transaction in transactions:
        name = transaction.tags.get(TAG)
        if name:
            names.add(name)
    return names


def import_statement(text: str, rules: Rules, journal: Journal, path: str = "<csv>") -> Imported:
    """The bookings of a statement that the journal does not have."""
    known = known_names(journal.transactions)
    transactions = convert(read_rows(text, rules, path), rules)
    new = [transaction for transaction in transactions if transaction.tags[TAG] not in known]
    return Imported(new, len(transactions) - len(new))
