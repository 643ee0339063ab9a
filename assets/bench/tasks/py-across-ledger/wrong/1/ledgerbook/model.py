"""What a journal holds once it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Dict, Iterator, List, Optional, Tuple

from ledgerbook.amounts import Amount
from ledgerbook.commodities import CommodityTable
from ledgerbook.periods import Period

UNMARKED, PENDING, CLEARED = "", "!", "*"
STATUS_NAMES = {UNMARKED: "unmarked", PENDING: "pending", CLEARED: "cleared"}


@dataclass(frozen=True)
class Position:
    """Where something is written."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Cost:
    """What was paid for an amount: a price each, or one for all of it."""

    amount: Amount
    is_total: bool = False

    def of(self, quantity: Decimal) -> Amount:
        """What `quantity` cost; a sale brings it back."""
        if self.is_total:
            return self.amount if quantity >= 0 else -self.amount
        return self.amount.times(quantity)

    def each(self, quantity: Decimal) -> Amount:
        """The price of one."""
        if not self.is_total or quantity == 0:
            return self.amount
        return Amount(self.amount.quantity / abs(quantity), self.amount.commodity)


@dataclass
class Posting:
    """One line of a transaction. `amount` is None only until the journal is balanced."""

    account: str
    amount: Optional[Amount]
    cost: Optional[Cost] = None
    assertion: Optional[Amount] = None
    status: str = UNMARKED
    comment: str = ""
    tags: Dict[str, str] = field(default_factory=dict)
    inferred: bool = False
    """The amount was not written but worked out."""
    position: Optional[Position] = None

    def weight(self) -> Amount:
        """What counts when the transaction is balanced: the cost, where there is one."""
        if self.amount is None:
            raise ValueError("the amount is not worked out yet")
        if self.cost is not None:
            return self.cost.of(self.amount.quantity)
        return self.amount


@dataclass
class Transaction:
    date: date
    payee: str
    postings: List[Posting]
    status: str = UNMARKED
    note: str = ""
    @@WORD@@: str = ""
    """From the brackets before the payee."""
    comment: str = ""
    tags: Dict[str, str] = field(default_factory=dict)
    generated: bool = False
    """It is not in the journal but was made by a rule for the future."""
    position: Optional[Position] = None

    def description(self) -> str:
        """Payee and note, as they are written."""
        text = f"{self.payee} | {self.note}" if self.note else self.payee
        return f"({self.@@WORD@@}) {text}" if self.@@WORD@@ else text

    def all_tags(self) -> Dict[str, str]:
        """The tags of the transaction and of all its postings."""
        tags = dict(self.tags)
        for posting in self.postings:
            tags.update(posting.tags)
        return tags

    def posting_tags(self, posting: Posting) -> Dict[str, str]:
        """The tags of one posting: its own and those of the transaction."""
        return {**self.tags, **posting.tags}

    def posting_status(self, posting: Posting) -> str:
        return posting.status or self.status


@dataclass(frozen=True)
class PriceEntry:
    """On that day one `commodity` was worth `price`."""

    date: date
    commodity: str
    price: Amount


@dataclass
class AccountDeclaration:
    name: str
    note: str = ""
    closed: Optional[date] = None
    position: Optional[Position] = None


@dataclass
class PeriodicRule:
    """A transaction that comes again: `~ monthly from 2024-01-01  Rent`."""

    unit: str
    every: int
    span: Period
    template: Transaction


@dataclass(frozen=True)
class BudgetLine:
    """How much may be spent on an account in every unit of time."""

    account: str
    amount: Amount
    unit: str
    span: Period = Period()
    position: Optional[Position] = None


@dataclass
class Journal:
    transactions: List[Transaction] = field(default_factory=list)
    prices: List[PriceEntry] = field(default_factory=list)
    accounts: Dict[str, AccountDeclaration] = field(default_factory=dict)
    rules: List[PeriodicRule] = field(default_factory=list)
    budget: List[BudgetLine] = field(default_factory=list)
    tags: List[str] = field(default_factory=list)
    commodities: CommodityTable = field(default_factory=CommodityTable)
    files: List[str] = field(default_factory=list)

    def in_order(self) -> List[Transaction]:
        """By date; those of the same day as they are written."""
        return sorted(self.transactions, key=lambda transaction: transaction.date)

    def postings(self) -> Iterator[Tuple[Transaction, Posting]]:
        for transaction in self.in_order():
            for posting in transaction.postings:
                yield transaction, posting

    def account_names(self) -> List[str]:
        """All accounts that are declared or used."""
        names = set(self.accounts)
        names.update(posting.account for _, posting in self.postings())
        return sorted(names)

    def span(self) -> Optional[Period]:
        """From the first transaction to the day after the last one."""
        if not self.transactions:
            return None
        first = min(transaction.date for transaction in self.transactions)
        last = max(transaction.date for transaction in self.transactions)
        return Period(first, date.fromordinal(last.toordinal() + 1))
