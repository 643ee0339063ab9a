"""How the amounts of each commodity are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Dict, List, Optional

from ledgerbook.amounts import Amount, Balance, round_half_up

PLAIN_NAME = re.compile(r"[^\W\d_]+|[$€£¥₹₿]")


@dataclass(frozen=True)
class Style:
    """The way an amount is written: `1,000.00 EUR`, `$5`, `12 ACME`."""

    decimals: int = 0
    decimal_mark: str = "."
    group_mark: str = ""
    before: bool = False
    """The commodity comes before the number."""
    space: bool = True
    """There is a space between number and commodity."""


class CommodityTable:
    """The styles of a journal. What is declared counts more than what was only seen."""

    def __init__(self) -> None:
        self._styles: Dict[str, Style] = {}
        self._declared: Dict[str, bool] = {}

    def declare(self, commodity: str, style: Optional[Style] = None) -> None:
        """From a `commodity` directive."""
        if style is not None:
            self._styles[commodity] = style
            self._declared[commodity] = True
        else:
            self._declared.setdefault(commodity, False)

    def saw(self, commodity: str, style: Style) -> None:
        """From an amount in a posting: the first one gives the look, the longest one the decimals."""
        if self._declared.get(commodity):
            return
        known = self._styles.get(commodity)
        if known is None:
            self._styles[commodity] = style
            return
        if style.decimals > known.decimals:
            known = replace(known, decimals=style.decimals, decimal_mark=style.decimal_mark)
        if style.group_mark and not known.group_mark:
            known = replace(known, group_mark=style.group_mark)
        self._styles[commodity] = known

    def is_declared(self, commodity: str) -> bool:
        return commodity in self._declared

    def style(self, commodity: str) -> Style:
        return self._styles.get(commodity, Style(decimals=2))

    def decimals(self) -> Dict[str, int]:
        return {name: style.decimals for name, style in self._styles.items()}

    def format(self, amount: Amount) -> str:
        """The amount as people read it, rounded to the decimals of its commodity."""
        style = self.style(amount.commodity)
        return self._written(amount, style, style.decimals)

    def format_exact(self, amount: Amount) -> str:
        """The amount with all its digits, for files that are read again."""
        style = self.style(amount.commodity)
        digits = max(style.decimals, -int(amount.quantity.normalize().as_tuple().exponent))
        return self._written(amount, style, digits)

    def _written(self, amount: Amount, style: Style, decimals: int) -> str:
        number = written_number(amount.quantity, style, decimals)
        if not amount.commodity:
            return number
        name = quoted(amount.commodity)
        gap = " " if style.space else ""
        if style.before:
            sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
            return f"{sign}{name}{gap}{digits}"
        return f"{number}{gap}{name}"

    def format_balance(self, balance: Balance) -> List[str]:
        """One line a commodity; a zero balance is a single `0`."""
        lines = [self.format(amount) for amount in balance.without_dust(self.decimals())]
        return lines or ["0"]


def written_number(quantity: Decimal, style: Style, decimals: int) -> str:
    """The digits of a quantity, with groups of three where the style has them."""
    rounded = round_half_up(quantity, decimals)
    if rounded == 0:
        rounded = abs(rounded)
    sign = "-" if rounded < 0 else ""
    whole, _, fraction = format(abs(rounded), "f").partition(".")
    if style.group_mark:
        whole = grouped(whole, style.group_mark)
    return sign + whole + (style.decimal_mark + fraction if fraction else "")


def grouped(digits: str, mark: str) -> str:
    """`1234567` as `1,234,567`."""
    head = len(digits) % 3
    parts = [digits[:head]] if head else []
    parts += [digits[at : at + 3] for at in range(head, len(digits), 3)]
    return mark.join(parts)


def quoted(commodity: str) -> str:
    """Names with digits, spaces or signs stand in quotes."""
    if PLAIN_NAME.fullmatch(commodity):
        return commodity
    return f'"{commodity}"'
