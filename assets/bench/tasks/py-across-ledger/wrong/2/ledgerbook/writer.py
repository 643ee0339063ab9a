"""Writes transactions as they stand in journals, so that they can be read again."""

from __future__ import annotations

from typing import Iterable, List

from ledgerbook.commodities import CommodityTable, quoted
from ledgerbook.model import Posting, PriceEntry, Transaction

INDENT = "    "
GAP = 4
"""Spaces between the longest account and the amounts, at least."""


def header(transaction: Transaction) -> str:
    """The first line of a transaction, without its comment."""
    pieces = [transaction.date.isoformat(), transaction.status, transaction.numbered_description()]
    return " ".join(piece for piece in pieces if piece)


def with_comment(line: str, comment: str) -> List[str]:
    """A line with its comment behind it; further lines of the comment come below."""
    if not comment:
        return [line]
    first, *more = comment.split("\n")
    return [f"{line}  ; {first}", *(f"{INDENT}; {text}" for text in more)]


def written_account(posting: Posting) -> str:
    return f"{posting.status} {posting.account}" if posting.status else posting.account


def written_amount(posting: Posting, commodities: CommodityTable) -> str:
    """Amount, cost and assertion. Amounts that were worked out are left out again, but not beside an assertion."""
    pieces = []
    if posting.amount is not None and not (posting.inferred and posting.assertion is None):
        pieces.append(commodities.format_exact(posting.amount))
    if posting.cost is not None:
        word = "@ total" if posting.cost.is_total else "@"
        pieces.append(f"{word} {commodities.format_exact(posting.cost.amount)}")
    if posting.assertion is not None:
        pieces.append(f"= {commodities.format_exact(posting.assertion)}")
    return " ".join(pieces)


def write_transaction(transaction: Transaction, commodities: CommodityTable, explicit: bool = False) -> List[str]:
    """The lines of a transaction. `explicit`: with all amounts, also those that were worked out."""
    lines = with_comment(header(transaction), transaction.comment)
    inferred = sum(posting.inferred for posting in transaction.postings)
    rows = []
    for posting in transaction.postings:
        amount = written_amount(posting, commodities)
        if posting.amount is not None and not amount and (explicit or inferred > 1):
            amount = commodities.format_exact(posting.amount)
        rows.append((written_account(posting), amount, posting.comment))
    wide = max(len(account) for account, _, _ in rows)
    tall = max(len(amount) for _, amount, _ in rows)
    for account, amount, comment in rows:
        line = f"{INDENT}{account}"
        if amount:
            line = f"{INDENT}{account:<{wide}}{' ' * GAP}{amount:>{tall}}"
        lines.extend(with_comment(line, comment))
    return lines


def write_transactions(
    transactions: Iterable[Transaction], commodities: CommodityTable, explicit: bool = False
) -> str:
    """Transactions with an empty line between them."""
    blocks = ["\n".join(write_transaction(each, commodities, explicit)) for each in transactions]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def write_price(entry: PriceEntry, commodities: CommodityTable) -> str:
    return f"price {entry.date.isoformat()} {quoted(entry.commodity)} {commodities.format_exact(entry.price)}"
