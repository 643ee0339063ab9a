"""Works out the amounts that were left out, and holds every transaction to zero."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Optional

from ledgerbook.amounts import Amount, Balance, decimals_of
from ledgerbook.commodities import CommodityTable
from ledgerbook.errors import UnbalancedError
from ledgerbook.model import Journal, Posting, Transaction


def balance_journal(journal: Journal) -> None:
    """Completes all transactions of a journal, and the templates of its rules."""
    for transaction in journal.transactions:
        complete(transaction, journal.commodities)
    for rule in journal.rules:
        complete(rule.template, journal.commodities)


def complete(transaction: Transaction, commodities: CommodityTable) -> None:
    """Fills in the missing amount, or checks that nothing is left over."""
    missing = next((posting for posting in transaction.postings if posting.amount is None), None)
    rest = remainder(transaction.postings)
    if missing is None:
        _check(transaction, rest, commodities)
        return
    at = transaction.postings.index(missing)
    transaction.postings[at : at + 1] = _filled(missing, rest)


def remainder(postings: List[Posting]) -> Balance:
    """What the written amounts add up to."""
    return Balance(posting.weight() for posting in postings if posting.amount is not None)


def _filled(posting: Posting, rest: Balance) -> List[Posting]:
    """The posting with what brings the others to zero: once for each commodity."""
    if rest.is_zero():
        commodity = posting.assertion.commodity if posting.assertion else ""
        return [replace(posting, amount=Amount.of(0, commodity), inferred=True)]
    filled = []
    for amount in rest:
        assertion = posting.assertion
        if assertion is not None and assertion.commodity != amount.commodity:
            assertion = None
        filled.append(replace(posting, amount=-amount, assertion=assertion, inferred=True, tags=dict(posting.tags)))
    return filled


def _check(transaction: Transaction, rest: Balance, commodities: CommodityTable) -> None:
    digits = written_decimals(transaction)
    left = [amount for amount in rest if not _is_dust(amount, digits.get(amount.commodity))]
    if not left:
        return
    if _is_exchange(transaction, left):
        return
    shown = ", ".join(commodities.format_exact(amount) for amount in left)
    raise UnbalancedError(f"{transaction.position}: '{transaction.description()}' is off by {shown}")


def written_decimals(transaction: Transaction) -> Dict[str, int]:
    """The most decimals that were written in this transaction, by commodity. Costs count as well."""
    digits: Dict[str, int] = {}
    for posting in transaction.postings:
        if posting.amount is None:
            continue
        written = [posting.amount] if posting.cost is None else [posting.amount, posting.cost.amount]
        for amount in written:
            digits[amount.commodity] = max(digits.get(amount.commodity, 0), decimals_of(amount.quantity))
    return digits


def _is_dust(amount: Amount, decimals: Optional[int]) -> bool:
    """Less than half of the last digit: it comes from prices with many decimals."""
    return decimals is not None and amount.rounded(decimals).is_zero()


def _is_exchange(transaction: Transaction, left: List[Amount]) -> bool:
    """Two commodities against each other without a cost: `10 USD` for `-9 EUR`."""
    if len(left) != 2 or any(posting.cost is not None for posting in transaction.postings):
        return False
    return (left[0].quantity > 0) != (left[1].quantity > 0)
