"""The rules file of an import: how the CSV file is built, and what is booked where.

    skip 1                          lines before the first booking
    separator ;
    date-format %d.%m.%Y
    decimal ,
    columns date, , payee, note, amount
    account Assets:Bank:Giro
    currency EUR

    match rewe|edeka
        account Expenses:Food
        payee Supermarket

Columns without a name are not read. Instead of `amount` there can be `debit` and `credit`. The first `match` that fits
payee or note decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Pattern

from ledgerbook import accounts
from ledgerbook.errors import RulesError

COLUMNS = ("date", "payee", "note", "amount", "debit", "credit", "currency")
SEPARATORS = {",": ",", ";": ";", "tab": "\t", "|": "|"}


@dataclass
class Match:
    """What is done with rows that fit a pattern."""

    pattern: Pattern[str]
    account: Optional[str] = None
    payee: Optional[str] = None
    note: Optional[str] = None
    tags: Dict[str, str] = field(default_factory=dict)

    def fits(self, payee: str, note: str) -> bool:
        return bool(self.pattern.search(payee) or self.pattern.search(note))


@dataclass
class Rules:
    account: str = ""
    columns: List[str] = field(default_factory=list)
    skip: int = 0
    separator: str = ","
    date_format: str = "%Y-%m-%d"
    decimal_mark: str = "."
    currency: str = ""
    negate: bool = False
    unknown_expense: str = "Expenses:Unknown"
    unknown_income: str = "Income:Unknown"
    matches: List[Match] = field(default_factory=list)

    def match(self, payee: str, note: str) -> Optional[Match]:
        """The first one that fits."""
        return next((match for match in self.matches if match.fits(payee, note)), None)


def parse_rules(text: str, path: str = "<rules>") -> Rules:
    """Reads a rules file."""
    rules = Rules()
    match: Optional[Match] = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        word, _, value = line.strip().partition(" ")
        value = value.strip()
        try:
            if line[0] in " \t":
                if match is None:
                    raise RulesError("an indented line without 'match' above it")
                _match_setting(match, word, value)
            elif word == "match":
                match = Match(_pattern(value))
                rules.matches.append(match)
            else:
                match = None
                _setting(rules, word, value)
        except RulesError as error:
            raise RulesError(f"{path}:{number}: {error}") from None
    _complete(rules, path)
    return rules


def _pattern(text: str) -> Pattern[str]:
    if not text:
        raise RulesError("'match' is followed by a regular expression")
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise RulesError(f"'{text}' is no regular expression: {error}") from None


def _match_setting(match: Match, word: str, value: str) -> None:
    if word == "account":
        match.account = _account(value)
    elif word == "payee":
        match.payee = value
    elif word == "note":
        match.note = value
    elif word == "tag":
        name, _, content = value.partition(":")
        match.tags[name.strip()] = content.strip()
    else:
        raise RulesError(f"'match' has no '{word}'")


def _setting(rules: Rules, word: str, value: str) -> None:
    if word == "account":
        rules.account = _account(value)
    elif word == "columns":
        rules.columns = _columns(value)
    elif word == "skip":
        rules.skip = _count(value)
    elif word == "separator":
        if value not in SEPARATORS:
            raise RulesError(f"the separator is one of {' '.join(SEPARATORS)}")
        rules.separator = SEPARATORS[value]
    elif word == "date-format":
        rules.date_format = value
    elif word == "decimal":
        if value not in (".", ","):
            raise RulesError("the decimal mark is '.' or ','")
        rules.decimal_mark = value
    elif word == "currency":
        rules.currency = value
    elif word == "negate":
        rules.negate = True
    elif word == "unknown-expense":
        rules.unknown_expense = _account(value)
    elif word == "unknown-income":
        rules.unknown_income = _account(value)
    else:
        raise RulesError(f"there is no setting '{word}'")


def _account(name: str) -> str:
    if not accounts.is_valid(name):
        raise RulesError(f"'{name}' is no name of an account")
    return name


def _count(text: str) -> int:
    if not text.isdigit():
        raise RulesError(f"'{text}' is no number of lines")
    return int(text)


def _columns(text: str) -> List[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name and name not in COLUMNS:
            raise RulesError(f"there is no column '{name}'")
        if name and names.count(name) > 1:
            raise RulesError(f"column '{name}' twice")
    return names


def _complete(rules: Rules, path: str) -> None:
    """What every import needs."""
    if not rules.account:
        raise RulesError(f"{path}: 'account' is missing")
    for name in ("date", "payee"):
        if name not in rules.columns:
            raise RulesError(f"{path}: there is no column '{name}'")
    single = "amount" in rules.columns
    double = "debit" in rules.columns and "credit" in rules.columns
    if single == double:
        raise RulesError(f"{path}: either there is a column 'amount', or 'debit' and 'credit'")
