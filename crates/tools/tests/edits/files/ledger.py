"""A small ledger: reads bookings from a CSV file and says what each account holds."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path


class LedgerError(Exception):
    """A booking that cannot be taken."""


@dataclass(frozen=True)
class Booking:
    day: str
    account: str
    amount: Decimal
    note: str = ""


@dataclass
class Ledger:
    bookings: list[Booking] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)

    def add(self, booking: Booking) -> None:
        if booking.account in self.closed:
            raise LedgerError(f"{booking.account} is closed")
        if booking.amount == 0:
            raise LedgerError("a booking of nothing")
        self.bookings.append(booking)

    def close(self, account: str) -> None:
        if self.balance(account) != 0:
            raise LedgerError(f"{account} isn't empty")
        self.closed.add(account)

    def balance(self, account: str) -> Decimal:
        total = Decimal(0)
        for booking in self.bookings:
            if booking.account == account:
                total += booking.amount
        return total

    def balances(self) -> dict[str, Decimal]:
        totals: dict[str, Decimal] = defaultdict(Decimal)
        for booking in self.bookings:
            totals[booking.account] += booking.amount
        return dict(totals)

    def by_month(self, account: str) -> dict[str, Decimal]:
        months: dict[str, Decimal] = defaultdict(Decimal)
        for booking in self.bookings:
            if booking.account == account:
                months[booking.day[:7]] += booking.amount
        return dict(months)


def parse_amount(text: str) -> Decimal:
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation as error:
        raise LedgerError(f"'{text}' is no amount") from error


def read_bookings(path: Path) -> Ledger:
    ledger = Ledger()
    with path.open(newline="", encoding="utf-8") as handle:
        for number, row in enumerate(csv.reader(handle), start=1):
            if not row or row[0].startswith("#"):
                continue
            if len(row) < 3:
                raise LedgerError(f"line {number}: {len(row)} columns, at least 3 wanted")
            day, account, amount, *rest = row
            try:
                ledger.add(Booking(day, account, parse_amount(amount), " ".join(rest)))
            except LedgerError as error:
                raise LedgerError(f"line {number}: {error}") from error
    return ledger


def report(ledger: Ledger) -> str:
    lines = []
    for account, total in sorted(ledger.balances().items()):
        mark = " (closed)" if account in ledger.closed else ""
        lines.append(f"{account:<20}{total:>12.2f}{mark}")
    lines.append("-" * 32)
    lines.append(f"{'all':<20}{sum(ledger.balances().values()):>12.2f}")
    return "\n".join(lines)


if __name__ == "__main__":
    import sys

    print(report(read_bookings(Path(sys.argv[1]))))
