"""Checks what postings say about the balance of their account."""

from __future__ import annotations

from typing import Dict

from ledgerbook.amounts import Balance
from ledgerbook.errors import AssertionFailed
from ledgerbook.model import Journal, Posting, Transaction


def check_assertions(journal: Journal) -> int:
    """Goes through the postings by date. Says how many assertions hold.

    An assertion is about the account itself, without those below it, and about one commodity.
    """
    balances: Dict[str, Balance] = {}
    held = 0
    for transaction, posting in journal.postings():
        balance = balances.setdefault(posting.account, Balance())
        if posting.amount is not None:
            balance.add(posting.amount)
        if posting.assertion is not None:
            _check(journal, transaction, posting, balance)
            held += 1
    return held


def _check(journal: Journal, transaction: Transaction, posting: Posting, balance: Balance) -> None:
    said = posting.assertion
    if said is None:
        return
    found = balance.amount(said.commodity)
    if found == said:
        return
    show = journal.commodities.format_exact
    raise AssertionFailed(
        f"{posting.position}: {posting.account} holds {show(found)} on {transaction.date}, not {show(said)}"
        f" (difference {show(found - said)})"
    )
