"""Amounts of one commodity, and balances of several.

An `Amount` never changes. A `Balance` is a sum under construction: `add` changes it in place, the operators make new
ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Dict, Iterable, Iterator, List, Union

ZERO = Decimal(0)


@dataclass(frozen=True)
class Amount:
    """A quantity of one commodity; the commodity of a bare number is the empty string."""

    quantity: Decimal
    commodity: str = ""

    @classmethod
    def of(cls, quantity: Union[str, int, Decimal], commodity: str = "") -> "Amount":
        return cls(Decimal(quantity), commodity)

    def __neg__(self) -> "Amount":
        return Amount(-self.quantity, self.commodity)

    def __add__(self, other: "Amount") -> "Amount":
        self._same_commodity(other)
        return Amount(self.quantity + other.quantity, self.commodity)

    def __sub__(self, other: "Amount") -> "Amount":
        self._same_commodity(other)
        return Amount(self.quantity - other.quantity, self.commodity)

    def times(self, factor: Decimal) -> "Amount":
        return Amount(self.quantity * factor, self.commodity)

    def is_zero(self) -> bool:
        return self.quantity == 0

    def rounded(self, decimals: int) -> "Amount":
        return Amount(round_half_up(self.quantity, decimals), self.commodity)

    def _same_commodity(self, other: "Amount") -> None:
        if self.commodity != other.commodity:
            raise ValueError(f"cannot add {other.commodity!r} to {self.commodity!r}")


def round_half_up(quantity: Decimal, decimals: int) -> Decimal:
    """Commercial rounding: halves go away from zero."""
    return quantity.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def decimals_of(quantity: Decimal) -> int:
    """How many digits are written behind the decimal mark."""
    return max(0, -int(quantity.as_tuple().exponent))


class Balance:
    """A sum of amounts of any commodities. Commodities that cancel out are not kept."""

    def __init__(self, amounts: Iterable[Amount] = ()):
        self._quantities: Dict[str, Decimal] = {}
        for amount in amounts:
            self.add(amount)

    @classmethod
    def of(cls, *amounts: Amount) -> "Balance":
        return cls(amounts)

    def add(self, what: Union[Amount, "Balance"]) -> None:
        """Adds an amount or another balance to this one, in place."""
        if isinstance(what, Balance):
            for amount in what:
                self.add(amount)
            return
        total = self._quantities.get(what.commodity, ZERO) + what.quantity
        if total == 0:
            self._quantities.pop(what.commodity, None)
        else:
            self._quantities[what.commodity] = total

    def copy(self) -> "Balance":
        other = Balance()
        other._quantities = dict(self._quantities)
        return other

    def __add__(self, what: Union[Amount, "Balance"]) -> "Balance":
        total = self.copy()
        total.add(what)
        return total

    def __sub__(self, what: Union[Amount, "Balance"]) -> "Balance":
        return self + (-what)

    def __neg__(self) -> "Balance":
        return Balance(-amount for amount in self)

    def __iter__(self) -> Iterator[Amount]:
        """The amounts, by commodity."""
        for commodity in sorted(self._quantities):
            yield Amount(self._quantities[commodity], commodity)

    def __len__(self) -> int:
        return len(self._quantities)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Balance):
            return NotImplemented
        return self._quantities == other._quantities

    def __repr__(self) -> str:
        inside = ", ".join(f"{amount.quantity} {amount.commodity}".strip() for amount in self)
        return f"Balance({inside})"

    def is_zero(self) -> bool:
        return not self._quantities

    def commodities(self) -> List[str]:
        return sorted(self._quantities)

    def quantity(self, commodity: str) -> Decimal:
        return self._quantities.get(commodity, ZERO)

    def amount(self, commodity: str) -> Amount:
        return Amount(self.quantity(commodity), commodity)

    def without_dust(self, decimals: Dict[str, int]) -> "Balance":
        """Without what rounds to nothing, with so many decimals a commodity."""
        kept = Balance()
        for amount in self:
            if amount.commodity not in decimals or not amount.rounded(decimals[amount.commodity]).is_zero():
                kept.add(amount)
        return kept


def total(balances: Iterable[Union[Amount, Balance]]) -> Balance:
    """The sum of all of them."""
    result = Balance()
    for balance in balances:
        result.add(balance)
    return result
