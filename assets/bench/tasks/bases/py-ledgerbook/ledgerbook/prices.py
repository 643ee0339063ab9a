"""What commodities were worth, and amounts in other commodities."""

from __future__ import annotations

from bisect import bisect_right
from datetime import date
from decimal import Decimal
from typing import Dict, Iterable, List, Optional, Set, Tuple

from ledgerbook.amounts import Amount, Balance
from ledgerbook.errors import NoPriceError
from ledgerbook.model import Journal, PriceEntry


class PriceBook:
    """Prices by pair of commodities, each in the order of days."""

    def __init__(self, entries: Iterable[PriceEntry] = ()):
        self._days: Dict[Tuple[str, str], List[date]] = {}
        self._rates: Dict[Tuple[str, str], List[Decimal]] = {}
        self._said: Dict[Tuple[date, str, str], PriceEntry] = {}
        for entry in entries:
            self.add(entry)

    @classmethod
    def of(cls, journal: Journal) -> "PriceBook":
        """From the `price` lines and from what was paid in transactions. On the same day, `price` lines win."""
        book = cls(paid_prices(journal))
        for entry in journal.prices:
            book.add(entry)
        return book

    def add(self, entry: PriceEntry) -> None:
        """The last one of a day replaces those before it."""
        self._said[(entry.date, entry.commodity, entry.price.commodity)] = entry
        self._put((entry.commodity, entry.price.commodity), entry.date, entry.price.quantity)
        self._put((entry.price.commodity, entry.commodity), entry.date, Decimal(1) / entry.price.quantity)

    def _put(self, pair: Tuple[str, str], day: date, rate: Decimal) -> None:
        days = self._days.setdefault(pair, [])
        rates = self._rates.setdefault(pair, [])
        at = bisect_right(days, day)
        if at and days[at - 1] == day:
            rates[at - 1] = rate
        else:
            days.insert(at, day)
            rates.insert(at, rate)

    def direct(self, commodity: str, target: str, day: date) -> Optional[Decimal]:
        """The last rate up to that day; before the first one, the first."""
        days = self._days.get((commodity, target))
        if not days:
            return None
        at = bisect_right(days, day)
        return self._rates[(commodity, target)][max(at - 1, 0)]

    def rate(self, commodity: str, target: str, day: date) -> Optional[Decimal]:
        """The rate, over other commodities if need be: the fewest steps win."""
        if commodity == target:
            return Decimal(1)
        reached: Dict[str, Decimal] = {commodity: Decimal(1)}
        front = [commodity]
        while front:
            following: List[str] = []
            for here in front:
                for there in self._neighbours(here):
                    if there in reached:
                        continue
                    step = self.direct(here, there, day)
                    if step is None:
                        continue
                    reached[there] = reached[here] * step
                    following.append(there)
            if target in reached:
                return reached[target]
            front = following
        return None

    def _neighbours(self, commodity: str) -> List[str]:
        there: Set[str] = {right for left, right in self._days if left == commodity}
        return sorted(there)

    def convert(self, amount: Amount, target: str, day: date) -> Amount:
        rate = self.rate(amount.commodity, target, day)
        if rate is None:
            raise NoPriceError(f"there is no price of '{amount.commodity}' in '{target}'")
        return Amount(amount.quantity * rate, target)

    def convert_balance(self, balance: Balance, target: str, day: date) -> Balance:
        """All of it in one commodity. What has no price stays what it is."""
        converted = Balance()
        for amount in balance:
            rate = self.rate(amount.commodity, target, day)
            converted.add(amount if rate is None else Amount(amount.quantity * rate, target))
        return converted

    def history(self) -> List[PriceEntry]:
        """All prices that hold, without those turned round, by day."""
        return [self._said[key] for key in sorted(self._said)]


def paid_prices(journal: Journal) -> Iterable[PriceEntry]:
    """Each cost in a transaction is a price of its day."""
    for transaction, posting in journal.postings():
        if posting.cost is None or posting.amount is None or posting.amount.is_zero():
            continue
        each = posting.cost.each(posting.amount.quantity)
        if each.quantity > 0:
            yield PriceEntry(transaction.date, posting.amount.commodity, each)
