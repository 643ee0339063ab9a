"""The query language: which postings a report is about.

    food                      accounts whose name has "food" in it (a regular expression, in any case)
    payee:baker               payee or note
    comment:receipt           comments
    amount:>100               the quantity; also <, >=, <=, =
    currency:EUR              the commodity of the amount
    status:cleared            cleared, pending or unmarked
    tag:trip  tag:trip=rome   tags, with a value if need be
    date:2024-03              a period, see periods.py
    not TERM, A and B, A or B, ( … )

Terms beside each other are joined: those for accounts by `or`, all else by `and`, as one would expect when typing
`food rent payee:baker`.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Callable, Dict, List, Optional, Pattern, Sequence

from ledgerbook.errors import DateError, QueryError
from ledgerbook.model import STATUS_NAMES, Posting, Transaction
from ledgerbook.periods import Period, parse_period

COMPARISONS = (
    (">=", operator.ge),
    ("<=", operator.le),
    (">", operator.gt),
    ("<", operator.lt),
    ("=", operator.eq),
)


class Query:
    """Something that postings match or do not match."""

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        raise NotImplementedError

    def matches_any(self, transaction: Transaction) -> bool:
        """Whether a posting of the transaction matches."""
        return any(self.matches(transaction, posting) for posting in transaction.postings)


@dataclass(frozen=True)
class AccountTerm(Query):
    pattern: Pattern[str]

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return bool(self.pattern.search(posting.account))


@dataclass(frozen=True)
class PayeeTerm(Query):
    pattern: Pattern[str]

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return bool(self.pattern.search(transaction.description()))


@dataclass(frozen=True)
class CommentTerm(Query):
    pattern: Pattern[str]

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return bool(self.pattern.search(transaction.comment) or self.pattern.search(posting.comment))


@dataclass(frozen=True)
class AmountTerm(Query):
    compare: Callable[[Decimal, Decimal], bool]
    quantity: Decimal
    signed: bool

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        if posting.amount is None:
            return False
        quantity = posting.amount.quantity
        return self.compare(quantity if self.signed else abs(quantity), self.quantity)


@dataclass(frozen=True)
class CurrencyTerm(Query):
    commodity: str

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return posting.amount is not None and posting.amount.commodity == self.commodity


@dataclass(frozen=True)
class StatusTerm(Query):
    status: str

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return transaction.posting_status(posting) == self.status


@dataclass(frozen=True)
class TagTerm(Query):
    name: str
    value: Optional[Pattern[str]]

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        tags = transaction.posting_tags(posting)
        if self.name not in tags:
            return False
        return self.value is None or bool(self.value.search(tags[self.name]))


@dataclass(frozen=True)
class DateTerm(Query):
    period: Period

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return transaction.date in self.period


@dataclass(frozen=True)
class Not(Query):
    inner: Query

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return not self.inner.matches(transaction, posting)


@dataclass(frozen=True)
class All(Query):
    inner: Sequence[Query]

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return all(query.matches(transaction, posting) for query in self.inner)


@dataclass(frozen=True)
class Either(Query):
    inner: Sequence[Query]

    def matches(self, transaction: Transaction, posting: Posting) -> bool:
        return any(query.matches(transaction, posting) for query in self.inner)


def _pattern(text: str) -> Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise QueryError(f"'{text}' is no regular expression: {error}") from None


def _amount_term(text: str) -> Query:
    compare = operator.eq
    for sign, function in COMPARISONS:
        if text.startswith(sign):
            compare, text = function, text[len(sign) :]
            break
    try:
        quantity = Decimal(text.strip())
    except InvalidOperation:
        raise QueryError(f"'{text}' is no number") from None
    return AmountTerm(compare, abs(quantity) if text.startswith("+") else quantity, text.strip()[:1] in ("+", "-"))


def _status_term(text: str) -> Query:
    for status, name in STATUS_NAMES.items():
        if text in (name, status) and text:
            return StatusTerm(status)
    raise QueryError(f"'{text}' is no status; there are {', '.join(sorted(STATUS_NAMES.values()))}")


def _tag_term(text: str) -> Query:
    name, sign, value = text.partition("=")
    if not name:
        raise QueryError("'tag:' is followed by a name")
    return TagTerm(name, _pattern(value) if sign else None)


def _term_makers(today: date) -> Dict[str, Callable[[str], Query]]:
    def dated(text: str) -> Query:
        try:
            return DateTerm(parse_period(text, today))
        except DateError as error:
            raise QueryError(str(error)) from None

    return {
        "account": lambda text: AccountTerm(_pattern(text)),
        "payee": lambda text: PayeeTerm(_pattern(text)),
        "comment": lambda text: CommentTerm(_pattern(text)),
        "amount": _amount_term,
        "currency": CurrencyTerm,
        "status": _status_term,
        "tag": _tag_term,
        "date": dated,
    }


class _QueryParser:
    """Words to a query: `or` binds least, then `and`, then terms beside each other."""

    def __init__(self, words: Sequence[str], today: date):
        self.words = list(words)
        self.at = 0
        self.makers = _term_makers(today)

    def peek(self) -> Optional[str]:
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self) -> str:
        word = self.peek()
        if word is None:
            raise QueryError("the query ends too early")
        self.at += 1
        return word

    def either(self) -> Query:
        found = [self.both()]
        while self.peek() == "or":
            self.take()
            found.append(self.both())
        return found[0] if len(found) == 1 else Either(found)

    def both(self) -> Query:
        found = [self.beside()]
        while self.peek() == "and":
            self.take()
            found.append(self.beside())
        return found[0] if len(found) == 1 else All(found)

    def beside(self) -> Query:
        found: List[Query] = []
        while self.peek() is not None and self.peek() not in ("or", "and", ")"):
            found.append(self.single())
        if not found:
            raise QueryError("a term is missing")
        return joined(found)

    def single(self) -> Query:
        word = self.take()
        if word == "not":
            return Not(self.single())
        if word == "(":
            inner = self.either()
            if self.peek() != ")":
                raise QueryError("'(' without ')'")
            self.take()
            return inner
        name, colon, text = word.partition(":")
        if colon and name in self.makers:
            return self.makers[name](text)
        return AccountTerm(_pattern(word))


def joined(found: List[Query]) -> Query:
    """Terms beside each other: one of the accounts, and everything else."""
    named = [query for query in found if isinstance(query, AccountTerm)]
    others = [query for query in found if not isinstance(query, AccountTerm)]
    if len(named) > 1:
        others.insert(0, Either(named))
    else:
        others = named + others
    return others[0] if len(others) == 1 else All(others)


def parse_query(words: Sequence[str], today: date) -> Optional[Query]:
    """The query in the words of a command line; None if there are none."""
    spread: List[str] = []
    for word in words:
        spread.extend(spread_brackets(word))
    if not spread:
        return None
    parser = _QueryParser(spread, today)
    query = parser.either()
    if parser.peek() is not None:
        raise QueryError(f"'{parser.peek()}' is not expected")
    return query


def spread_brackets(word: str) -> List[str]:
    """Brackets at the ends of a word are words of their own, unless they belong to each other."""
    before, after = [], []
    while word.startswith("("):
        before.append("(")
        word = word[1:]
    while word.endswith(")") and word.count("(") < word.count(")"):
        after.append(")")
        word = word[:-1]
    return before + ([word] if word else []) + after
