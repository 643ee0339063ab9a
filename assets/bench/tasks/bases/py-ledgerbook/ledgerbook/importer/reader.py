"""Rows of a CSV file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Dict, List

from ledgerbook.amounts import Amount
from ledgerbook.errors import RulesError
from ledgerbook.importer.rules import Rules


@dataclass(frozen=True)
class Row:
    """One booking as the bank tells it."""

    line: int
    date: date
    payee: str
    note: str
    amount: Amount


def read_rows(text: str, rules: Rules, path: str = "<csv>") -> List[Row]:
    """All bookings, in the order of the file."""
    rows = []
    reader = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=rules.separator)
    for number, cells in enumerate(reader):
        if number < rules.skip or not any(cell.strip() for cell in cells):
            continue
        try:
            rows.append(_row(cells, rules, reader.line_num))
        except RulesError as error:
            raise RulesError(f"{path}:{reader.line_num}: {error}") from None
    return rows


def _row(cells: List[str], rules: Rules, line: int) -> Row:
    if len(cells) < len(rules.columns):
        raise RulesError(f"{len(cells)} columns instead of {len(rules.columns)}")
    values = {name: cells[at].strip() for at, name in enumerate(rules.columns) if name}
    return Row(
        line=line,
        date=_date(values["date"], rules),
        payee=squeezed(values["payee"]),
        note=squeezed(values.get("note", "")),
        amount=Amount(_quantity(values, rules), values.get("currency") or rules.currency),
    )


def squeezed(text: str) -> str:
    """With single spaces, and without what would end a payee in a journal."""
    return " ".join(text.replace(";", ",").replace("|", "/").split())


def _date(text: str, rules: Rules) -> date:
    try:
        return datetime.strptime(text, rules.date_format).date()
    except ValueError:
        raise RulesError(f"'{text}' is no date like {rules.date_format}") from None


def _quantity(values: Dict[str, str], rules: Rules) -> Decimal:
    if "amount" in values:
        quantity = number(values["amount"], rules.decimal_mark)
    else:
        debit, credit = values["debit"], values["credit"]
        if bool(debit) == bool(credit):
            raise RulesError("either debit or credit has an amount")
        quantity = number(credit, rules.decimal_mark) if credit else -abs(number(debit, rules.decimal_mark))
    return -quantity if rules.negate else quantity


def number(text: str, decimal_mark: str) -> Decimal:
    """`1.234,50` or `1,234.50`; a sign may stand on either side."""
    group = "." if decimal_mark == "," else ","
    plain = text.replace(" ", "").replace("'", "").replace(group, "").replace(decimal_mark, ".")
    if plain.endswith(("-", "+")):
        plain = plain[-1] + plain[:-1]
    try:
        return Decimal(plain)
    except InvalidOperation:
        raise RulesError(f"'{text}' is no amount") from None
