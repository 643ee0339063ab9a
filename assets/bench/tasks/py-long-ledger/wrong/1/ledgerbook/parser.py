"""Reads journals.

A journal is read line by line. A line that begins at the margin opens an entry; lines that are indented belong to it.
What an entry is, its first word tells: a date opens a transaction, `~` a periodic rule, and everything else is a
directive (see docs/format.md). Amounts are read by a cursor that runs along the line, because they come in many
shapes: `3.50 EUR`, `EUR 3.50`, `-$3`, `$-3`, `1'000 "ACME 2"`.

The parser only reads. That transactions are balanced and that assertions hold is looked after elsewhere.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Callable, Dict, Iterator, List, Optional, Tuple

from ledgerbook import accounts
from ledgerbook.amounts import Amount
from ledgerbook.commodities import Style
from ledgerbook.dates import parse_date
from ledgerbook.errors import DateError, LedgerError, ParseError
from ledgerbook.model import (
    CLEARED,
    PENDING,
    UNMARKED,
    AccountDeclaration,
    BudgetLine,
    Cost,
    Journal,
    PeriodicRule,
    Position,
    Posting,
    PriceEntry,
    Transaction,
)
from ledgerbook.periods import Period

COMMENT_MARKS = ";#"
"""Lines that begin with one of these are skipped."""

SYMBOLS = "$€£¥₹₿"
"""Signs that are a commodity of their own."""

GROUP_MARKS = "'_"
"""Marks between groups of digits, besides the one of `,` and `.` that is not the decimal mark."""

UNIT_WORDS = {
    "daily": ("day", 1),
    "weekly": ("week", 1),
    "biweekly": ("week", 2),
    "monthly": ("month", 1),
    "quarterly": ("quarter", 1),
    "yearly": ("year", 1),
}
"""Words for how often something comes, with unit and count."""

EVERY_UNITS = {
    "day": "day",
    "days": "day",
    "week": "week",
    "weeks": "week",
    "month": "month",
    "months": "month",
    "quarter": "quarter",
    "quarters": "quarter",
    "year": "year",
    "years": "year",
}
"""Units behind `every 3 …`."""

TAG = re.compile(r"([A-Za-z][\w-]*):(?!//)\s*(.*)")
DATE_START = re.compile(r"\d")
WORD = re.compile(r"\S+")
TWO_SPACES = re.compile(r"\s{2,}|\t")


# --------------------------------------------------------------------------------------------------------------------
# Lines and entries


@dataclass(frozen=True)
class Line:
    """One line of a file, without its line break."""

    path: str
    number: int
    text: str

    @property
    def position(self) -> Position:
        return Position(self.path, self.number)

    def is_blank(self) -> bool:
        return not self.text.strip()

    def is_indented(self) -> bool:
        return self.text[:1] in (" ", "\t")

    def is_comment(self) -> bool:
        return self.text.lstrip()[:1] in tuple(COMMENT_MARKS) and not self.is_blank()

    def fault(self, message: str) -> ParseError:
        return ParseError(self.path, self.number, message)


@dataclass
class Entry:
    """A line at the margin and the indented lines below it."""

    head: Line
    body: List[Line] = field(default_factory=list)


def lines_of(path: str, text: str) -> Iterator[Line]:
    """All lines of a text, numbered from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        yield Line(path, number, line.rstrip())


def entries_of(lines: Iterator[Line]) -> Iterator[Entry]:
    """Groups lines to entries. An empty line ends an entry; comments at the margin are skipped."""
    entry: Optional[Entry] = None
    in_comment: Optional[Line] = None
    for line in lines:
        if in_comment is not None:
            if line.text.strip() == "end comment":
                in_comment = None
            continue
        if line.is_blank():
            if entry is not None:
                yield entry
                entry = None
            continue
        if line.is_indented():
            if entry is None and not line.is_comment():
                raise line.fault("an indented line without anything above it")
            if entry is not None:
                entry.body.append(line)
            continue
        if entry is not None:
            yield entry
            entry = None
        if line.is_comment():
            continue
        if line.text == "comment":
            in_comment = line
            continue
        entry = Entry(line)
    if entry is not None:
        yield entry
    if in_comment is not None:
        raise in_comment.fault("'comment' without 'end comment'")


def split_comment(text: str) -> Tuple[str, str]:
    """A text and the comment behind it. A `;` inside of quotes opens no comment."""
    quoted = False
    for at, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif letter == ";" and not quoted and (at == 0 or text[at - 1] in " \t"):
            return text[:at].rstrip(), text[at + 1 :].strip()
    return text.rstrip(), ""


def tags_of(comment: str) -> Dict[str, str]:
    """The tags in a comment: `trip: Rome, receipt:` are two."""
    tags = {}
    for piece in comment.split(","):
        match = TAG.fullmatch(piece.strip())
        if match:
            tags[match[1]] = match[2].strip()
    return tags


def join_comments(first: str, second: str) -> str:
    """Comments that belong to the same thing, on lines of their own."""
    if not first:
        return second
    if not second:
        return first
    return f"{first}\n{second}"


# --------------------------------------------------------------------------------------------------------------------
# Amounts


@dataclass(frozen=True)
class Number:
    """A quantity and the way it was written."""

    quantity: Decimal
    decimals: int
    group_mark: str


class Cursor:
    """Runs along the text of one line."""

    def __init__(self, line: Line, text: str, decimal_mark: str = "."):
        self.line = line
        self.text = text
        self.at = 0
        self.decimal_mark = decimal_mark

    def rest(self) -> str:
        return self.text[self.at :]

    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def peek(self) -> str:
        """The next letter; nothing at the end."""
        return self.text[self.at : self.at + 1]

    def take(self, expected: str) -> bool:
        """Steps over `expected`, if it comes next."""
        if self.text.startswith(expected, self.at):
            self.at += len(expected)
            return True
        return False

    def skip_spaces(self) -> int:
        """Steps over spaces, and says over how many."""
        start = self.at
        while self.peek() in (" ", "\t"):
            self.at += 1
        return self.at - start

    def word(self) -> str:
        """The next word, without stepping over it."""
        match = WORD.match(self.text, self.at)
        return match[0] if match else ""

    def take_word(self, expected: str) -> bool:
        """Steps over a whole word, if it comes next."""
        if self.word() != expected:
            return False
        self.at += len(expected)
        self.skip_spaces()
        return True

    def fault(self, message: str) -> ParseError:
        return self.line.fault(message)

    # -- numbers

    def at_number(self) -> bool:
        return self.peek().isdigit() or (self.peek() == self.decimal_mark and self.text[self.at + 1 : self.at + 2].isdigit())

    def number(self) -> Number:
        """Digits with groups and a fraction, without a sign."""
        start = self.at
        group = "," if self.decimal_mark == "." else "."
        allowed = GROUP_MARKS + group + self.decimal_mark
        while self.peek().isdigit() or (self.peek() and self.peek() in allowed):
            self.at += 1
        written = self.text[start : self.at]
        whole, mark, fraction = written.partition(self.decimal_mark)
        if self.decimal_mark in fraction or any(letter in fraction for letter in GROUP_MARKS + group):
            raise self.fault(f"'{written}' is no number")
        if mark and not fraction:
            raise self.fault(f"'{written}' ends with its decimal mark")
        marks = {letter for letter in whole if not letter.isdigit()}
        if len(marks) > 1:
            raise self.fault(f"'{written}' has two kinds of group marks")
        group_mark = marks.pop() if marks else ""
        if group_mark:
            self._check_groups(written, whole.split(group_mark))
            whole = whole.replace(group_mark, "")
        try:
            quantity = Decimal(f"{whole or '0'}.{fraction or '0'}" if fraction else whole or "0")
        except InvalidOperation:
            raise self.fault(f"'{written}' is no number") from None
        return Number(quantity, len(fraction), group_mark)

    def _check_groups(self, written: str, groups: List[str]) -> None:
        """Behind the first group all have three digits."""
        if not 1 <= len(groups[0]) <= 3 or any(len(group) != 3 for group in groups[1:]):
            raise self.fault(f"'{written}' has groups that are not of three digits")

    def sign(self) -> Optional[int]:
        """A sign, if there is one."""
        if self.take("-"):
            self.skip_spaces()
            return -1
        if self.take("+"):
            self.skip_spaces()
            return 1
        return None

    # -- commodities

    def at_commodity(self) -> bool:
        letter = self.peek()
        return bool(letter) and (letter == '"' or letter in SYMBOLS or letter.isalpha())

    def commodity(self) -> str:
        """A name: letters, one symbol, or anything in quotes."""
        if self.take('"'):
            end = self.text.find('"', self.at)
            if end < 0:
                raise self.fault("a quote that is not closed")
            name = self.text[self.at : end]
            if not name.strip():
                raise self.fault("a commodity without a name")
            self.at = end + 1
            return name
        if self.peek() in SYMBOLS:
            symbol = self.peek()
            self.at += 1
            return symbol
        start = self.at
        while self.peek().isalpha():
            self.at += 1
        return self.text[start : self.at]

    # -- amounts

    def amount(self) -> Tuple[Amount, Style]:
        """An amount, and how it was written."""
        sign = self.sign()
        if self.at_commodity():
            return self._amount_after_name(sign)
        if not self.at_number():
            found = self.word()
            raise self.fault(f"an amount is expected instead of '{found}'" if found else "an amount is expected")
        number = self.number()
        before_space = self.at
        spaces = self.skip_spaces()
        if self.at_commodity() and not self._is_keyword():
            name = self.commodity()
            style = self._style(number, before=False, space=spaces > 0)
        else:
            self.at = before_space
            name = ""
            style = self._style(number, before=False, space=False)
        return Amount(self._signed(number.quantity, sign), name), style

    def _amount_after_name(self, sign: Optional[int]) -> Tuple[Amount, Style]:
        """`EUR 3`, `$3`, `$-3`."""
        name = self.commodity()
        spaces = self.skip_spaces()
        inner = self.sign()
        if sign is not None and inner is not None:
            raise self.fault("an amount with two signs")
        if not self.at_number():
            raise self.fault(f"a number is expected behind '{name}'")
        number = self.number()
        style = self._style(number, before=True, space=spaces > 0)
        return Amount(self._signed(number.quantity, sign if inner is None else inner), name), style

    def _is_keyword(self) -> bool:
        """Words that may follow a bare number and are no commodity."""
        return self.word() in UNIT_WORDS or self.word() in ("every", "from", "to")

    def _style(self, number: Number, before: bool, space: bool) -> Style:
        return Style(number.decimals, self.decimal_mark, number.group_mark, before, space)

    @staticmethod
    def _signed(quantity: Decimal, sign: Optional[int]) -> Decimal:
        return -quantity if sign == -1 and quantity != 0 else quantity


# --------------------------------------------------------------------------------------------------------------------
# State


@dataclass
class State:
    """What earlier lines have said about later ones."""

    default_year: Optional[int] = None
    decimal_mark: str = "."
    prefixes: List[Tuple[str, Line]] = field(default_factory=list)
    """From `apply account`, the innermost last."""
    aliases: Dict[str, str] = field(default_factory=dict)
    open_files: List[str] = field(default_factory=list)
    """Files that are being read, the innermost last."""

    def account(self, name: str) -> str:
        """The full name of an account: aliases first, then prefixes."""
        head, separator, tail = name.partition(accounts.SEPARATOR)
        if head in self.aliases:
            return self.aliases[head] + separator + tail
        prefix = [written for written, _ in self.prefixes]
        return accounts.SEPARATOR.join([*prefix, name])


def read_file(path: str) -> str:
    """The text of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


# --------------------------------------------------------------------------------------------------------------------
# The parser


class Parser:
    """Reads files into one journal. `read` gives the text of a path."""

    def __init__(self, read: Callable[[str], str] = read_file):
        self.read = read
        self.journal = Journal()
        self.@@HERE@@ = State()
        self.directives: Dict[str, Callable[[Entry, str], None]] = {
            "account": self._account,
            "alias": self._alias,
            "apply": self._apply,
            "budget": self._budget,
            "commodity": self._commodity,
            "decimal": self._decimal,
            "end": self._end,
            "include": self._include,
            "price": self._price,
            "tag": self._tag,
            "year": self._year,
        }

    # -- files

    def parse_file(self, path: str) -> Journal:
        """Reads a file and all that it includes."""
        try:
            text = self.read(path)
        except OSError as error:
            raise LedgerError(f"cannot read {path}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise LedgerError(f"cannot read {path}: it is not UTF-8 text") from None
        return self.parse_text(text, path)

    def parse_text(self, text: str, path: str = "<text>") -> Journal:
        """Reads a text as if it were the file of that name."""
        self.@@HERE@@.open_files.append(path)
        self.journal.files.append(path)
        outer = len(self.@@HERE@@.prefixes)
        for entry in entries_of(lines_of(path, text)):
            self._entry(entry)
        if len(self.@@HERE@@.prefixes) > outer:
            _, opened = self.@@HERE@@.prefixes[-1]
            raise opened.fault("'apply account' without 'end apply account'")
        self.@@HERE@@.open_files.pop()
        return self.journal

    def _entry(self, entry: Entry) -> None:
        """Tells by the first word what an entry is."""
        text = entry.head.text
        if DATE_START.match(text):
            self.journal.transactions.append(self._transaction(entry))
            return
        if text.startswith("~"):
            self.journal.rules.append(self._rule(entry))
            return
        word, _, rest = text.partition(" ")
        handler = self.directives.get(word)
        if handler is None:
            raise entry.head.fault(f"'{word}' is neither a date nor a directive")
        handler(entry, split_comment(rest)[0].strip())

    def _cursor(self, line: Line, text: str) -> Cursor:
        return Cursor(line, text, self.@@HERE@@.decimal_mark)

    def _date(self, line: Line, text: str) -> date:
        try:
            return parse_date(text, self.@@HERE@@.default_year)
        except DateError as error:
            raise line.fault(str(error)) from None

    # -- transactions

    def _transaction(self, entry: Entry) -> Transaction:
        """A dated entry with its postings."""
        head, comment = split_comment(entry.head.text)
        written, _, rest = head.partition(" ")
        day = self._date(entry.head, written)
        status, description = self._status(rest.strip())
        transaction = self._described(entry, day, status, description, comment)
        self._postings(entry, transaction)
        return transaction

    def _described(self, entry: Entry, day: date, status: str, description: str, comment: str) -> Transaction:
        """A transaction without postings, from what stands in its first line."""
        payee, bar, note = description.partition("|")
        if bar and not payee.strip():
            raise entry.head.fault("a note without a payee before it")
        return Transaction(
            date=day,
            payee=payee.strip(),
            postings=[],
            status=status,
            note=note.strip(),
            comment=comment,
            tags=tags_of(comment),
            position=entry.head.position,
        )

    @staticmethod
    def _status(text: str) -> Tuple[str, str]:
        """The mark at the front of a text, and what follows it."""
        for mark in (CLEARED, PENDING):
            if text == mark or text.startswith(mark + " "):
                return mark, text[1:].strip()
        return UNMARKED, text

    def _postings(self, entry: Entry, transaction: Transaction) -> None:
        """The indented lines: postings, and comments to what stands above them."""
        for line in entry.body:
            if line.is_comment():
                self._comment_below(line, transaction)
            else:
                transaction.postings.append(self._posting(line))
        if not transaction.postings:
            raise entry.head.fault("a transaction without postings")
        without = [posting for posting in transaction.postings if posting.amount is None]
        if len(without) > 1:
            position = without[1].position
            number = position.line if position else entry.head.number
            raise ParseError(entry.head.path, number, "only one posting may be without an amount")

    @staticmethod
    def _comment_below(line: Line, transaction: Transaction) -> None:
        """A comment on a line of its own belongs to the last posting, or to the transaction before the first one."""
        comment = line.text.strip().lstrip(COMMENT_MARKS).strip()
        owner = transaction.postings[-1] if transaction.postings else transaction
        owner.comment = join_comments(owner.comment, comment)
        owner.tags.update(tags_of(comment))

    def _posting(self, line: Line) -> Posting:
        """`[MARK] ACCOUNT  [AMOUNT [@ COST] [= ASSERTION]]  [; COMMENT]`"""
        text, comment = split_comment(line.text.strip())
        status, text = self._status(text)
        name, rest = self._split_account(text)
        account = self._account_name(line, name)
        posting = Posting(
            account=account,
            amount=None,
            status=status,
            comment=comment,
            tags=tags_of(comment),
            position=line.position,
        )
        if rest:
            self._amounts(line, rest, posting)
        return posting

    @staticmethod
    def _split_account(text: str) -> Tuple[str, str]:
        """The name of an account ends at two spaces or a tab."""
        match = TWO_SPACES.search(text)
        if not match:
            return text.strip(), ""
        return text[: match.start()].strip(), text[match.end() :].strip()

    def _account_name(self, line: Line, name: str) -> str:
        full = self.@@HERE@@.account(name)
        if not accounts.is_valid(full):
            raise line.fault(f"'{name}' is no name of an account")
        return full

    def _amounts(self, line: Line, text: str, posting: Posting) -> None:
        """All that may stand behind the account."""
        cursor = self._cursor(line, text)
        if cursor.peek() != "=":
            posting.amount = self._seen_amount(cursor)
            cursor.skip_spaces()
        if cursor.take("@"):
            posting.cost = self._cost(cursor)
            cursor.skip_spaces()
        if cursor.take("="):
            cursor.skip_spaces()
            posting.assertion = self._seen_amount(cursor)
            cursor.skip_spaces()
        if not cursor.at_end():
            raise line.fault(f"'{cursor.rest()}' behind the amount makes no sense")

    def _cost(self, cursor: Cursor) -> Cost:
        """`@ 20 EUR` each, or `@ total 100 EUR`."""
        cursor.skip_spaces()
        is_total = cursor.take_word("total")
        amount = self._seen_amount(cursor)
        if amount.quantity < 0:
            raise cursor.fault("a cost is never below zero")
        return Cost(amount, is_total)

    def _seen_amount(self, cursor: Cursor) -> Amount:
        """An amount whose look is kept for the reports."""
        amount, style = cursor.amount()
        self.journal.commodities.saw(amount.commodity, style)
        return amount

    # -- periodic rules

    def _rule(self, entry: Entry) -> PeriodicRule:
        """`~ monthly [from DATE] [to DATE]  PAYEE`"""
        head, comment = split_comment(entry.head.text[1:].strip())
        timing, description = self._split_account(head)
        unit, every, span = self._timing(entry.head, timing)
        if span.start is None:
            raise entry.head.fault("a periodic rule needs 'from' with a date")
        status, description = self._status(description)
        template = self._described(entry, span.start, status, description, comment)
        self._postings(entry, template)
        return PeriodicRule(unit, every, span, template)

    def _timing(self, line: Line, text: str) -> Tuple[str, int, Period]:
        """`monthly`, `every 2 weeks`, each with `from DATE` and `to DATE` behind it."""
        words = text.split()
        if not words:
            raise line.fault("how often is missing, as in 'monthly'")
        if words[0] == "every":
            unit, every, words = self._every(line, words[1:])
        elif words[0] in UNIT_WORDS:
            unit, every = UNIT_WORDS[words[0]]
            words = words[1:]
        else:
            raise line.fault(f"'{words[0]}' does not say how often")
        return unit, every, self._span(line, words)

    @staticmethod
    def _every(line: Line, words: List[str]) -> Tuple[str, int, List[str]]:
        """`3 months …`, or `month …` for each of them."""
        count = 1
        if words and words[0].isdigit():
            count = int(words[0])
            words = words[1:]
        if count < 1 or not words or words[0] not in EVERY_UNITS:
            raise line.fault("'every' is followed by a number and a unit, as in 'every 2 weeks'")
        return EVERY_UNITS[words[0]], count, words[1:]

    def _span(self, line: Line, words: List[str]) -> Period:
        """`from DATE`, `to DATE`, both or none."""
        found: Dict[str, date] = {}
        while words:
            word = words[0]
            if word not in ("from", "to") or len(words) < 2:
                raise line.fault(f"'{' '.join(words)}' is not expected here")
            if word in found:
                raise line.fault(f"'{word}' twice")
            found[word] = self._date(line, words[1])
            words = words[2:]
        start, end = found.get("from"), found.get("to")
        if start is not None and end is not None and end <= start:
            raise line.fault("'to' is not after 'from'")
        return Period(start, end)

    # -- directives: accounts

    def _account(self, entry: Entry, text: str) -> None:
        """`account NAME`, with `note …` and `closed DATE` below it."""
        name = self._account_name(entry.head, text)
        if name in self.journal.accounts:
            raise entry.head.fault(f"account '{name}' is declared twice")
        declaration = AccountDeclaration(name, position=entry.head.position)
        for line, word, value in self._settings(entry):
            if word == "note":
                declaration.note = value
            elif word == "closed":
                declaration.closed = self._date(line, value)
            else:
                raise line.fault(f"accounts have no '{word}'")
        self.journal.accounts[name] = declaration

    def _settings(self, entry: Entry) -> Iterator[Tuple[Line, str, str]]:
        """The indented lines of a directive, as words with values."""
        for line in entry.body:
            if line.is_comment():
                continue
            text, _ = split_comment(line.text.strip())
            word, _, value = text.partition(" ")
            yield line, word, value.strip()

    def _no_body(self, entry: Entry) -> None:
        """For directives of one line."""
        for line in entry.body:
            if not line.is_comment():
                raise line.fault("this directive has no lines below it")

    def _alias(self, entry: Entry, text: str) -> None:
        """`alias SHORT = ACCOUNT`"""
        self._no_body(entry)
        short, sign, name = (piece.strip() for piece in text.partition("="))
        if not sign or not short or accounts.SEPARATOR in short:
            raise entry.head.fault("an alias is 'alias SHORT = ACCOUNT'")
        self.@@HERE@@.aliases[short] = self._account_name(entry.head, name)

    def _apply(self, entry: Entry, text: str) -> None:
        """`apply account NAME`: it comes before all accounts that follow."""
        self._no_body(entry)
        word, _, name = text.partition(" ")
        if word != "account" or not accounts.is_valid(name.strip()):
            raise entry.head.fault("'apply' is followed by 'account' and a name")
        self.@@HERE@@.prefixes.append((name.strip(), entry.head))

    def _end(self, entry: Entry, text: str) -> None:
        """`end apply account`"""
        self._no_body(entry)
        if text not in ("apply account", "apply"):
            raise entry.head.fault(f"'end {text}' ends nothing")
        if not self.@@HERE@@.prefixes:
            raise entry.head.fault("'end apply account' without 'apply account'")
        self.@@HERE@@.prefixes.pop()

    # -- directives: commodities and prices

    def _commodity(self, entry: Entry, text: str) -> None:
        """`commodity NAME`, with `format AMOUNT` below it."""
        cursor = self._cursor(entry.head, text)
        if not cursor.at_commodity():
            raise entry.head.fault("'commodity' is followed by a name")
        name = cursor.commodity()
        cursor.skip_spaces()
        if not cursor.at_end():
            raise entry.head.fault(f"'{cursor.rest()}' behind the commodity makes no sense")
        style: Optional[Style] = None
        for line, word, value in self._settings(entry):
            if word == "format":
                style = self._format(line, name, value)
            elif word != "note":
                raise line.fault(f"commodities have no '{word}'")
        self.journal.commodities.declare(name, style)

    def _format(self, line: Line, name: str, value: str) -> Style:
        """An amount that shows how all of them are to look."""
        cursor = self._cursor(line, value)
        amount, style = cursor.amount()
        if amount.commodity != name:
            raise line.fault(f"the format is one of '{amount.commodity}' instead of '{name}'")
        if not cursor.at_end():
            raise line.fault(f"'{cursor.rest()}' behind the format makes no sense")
        return style

    def _price(self, entry: Entry, text: str) -> None:
        """`price DATE COMMODITY AMOUNT`"""
        self._no_body(entry)
        written, _, rest = text.partition(" ")
        day = self._date(entry.head, written)
        cursor = self._cursor(entry.head, rest.strip())
        if not cursor.at_commodity():
            raise entry.head.fault("a price is 'price DATE COMMODITY AMOUNT'")
        commodity = cursor.commodity()
        cursor.skip_spaces()
        price, _ = cursor.amount()
        cursor.skip_spaces()
        if not cursor.at_end():
            raise entry.head.fault(f"'{cursor.rest()}' behind the price makes no sense")
        if price.quantity <= 0:
            raise entry.head.fault("a price is more than zero")
        if price.commodity == commodity:
            raise entry.head.fault("a price in its own commodity")
        self.journal.prices.append(PriceEntry(day, commodity, price))

    # -- directives: budget and tags

    def _budget(self, entry: Entry, text: str) -> None:
        """`budget ACCOUNT  AMOUNT monthly [from DATE] [to DATE]`"""
        self._no_body(entry)
        name, rest = self._split_account(text)
        account = self._account_name(entry.head, name)
        if not rest:
            raise entry.head.fault("a budget is 'budget ACCOUNT  AMOUNT monthly', with two spaces before the amount")
        cursor = self._cursor(entry.head, rest)
        amount = self._seen_amount(cursor)
        cursor.skip_spaces()
        unit, every, span = self._timing(entry.head, cursor.rest())
        if every != 1:
            raise entry.head.fault("a budget is for every single unit of time")
        self.journal.budget.append(BudgetLine(account, amount, unit, span, entry.head.position))

    def _tag(self, entry: Entry, text: str) -> None:
        """`tag NAME`: the name of a tag that may be used."""
        self._no_body(entry)
        if not TAG.fullmatch(text + ":"):
            raise entry.head.fault(f"'{text}' is no name of a tag")
        if text not in self.journal.tags:
            self.journal.tags.append(text)

    # -- directives: how to read on

    def _year(self, entry: Entry, text: str) -> None:
        """`year 2024`: for dates without one."""
        self._no_body(entry)
        if not re.fullmatch(r"\d{4}", text) or text == "0000":
            raise entry.head.fault(f"'{text}' is no year")
        self.@@HERE@@.default_year = int(text)

    def _decimal(self, entry: Entry, text: str) -> None:
        """`decimal ,`: the mark before the fraction of numbers."""
        self._no_body(entry)
        if text not in (".", ","):
            raise entry.head.fault("the decimal mark is '.' or ','")
        self.@@HERE@@.decimal_mark = text

    def _include(self, entry: Entry, text: str) -> None:
        """`include PATH`: reads another file at this place. Paths are relative to the including file."""
        self._no_body(entry)
        if not text:
            raise entry.head.fault("'include' is followed by a path")
        path = os.path.normpath(os.path.join(os.path.dirname(entry.head.path), text))
        if path in self.@@HERE@@.open_files:
            raise entry.head.fault(f"'{text}' includes itself")
        outer = (self.@@HERE@@.default_year, self.@@HERE@@.decimal_mark)
        self.@@HERE@@.default_year, self.@@HERE@@.decimal_mark = None, "."
        try:
            self.parse_file(path)
        except ParseError:
            raise
        except LedgerError as error:
            raise entry.head.fault(str(error)) from None
        self.@@HERE@@.default_year, self.@@HERE@@.decimal_mark = outer


def parse_file(path: str, read: Callable[[str], str] = read_file) -> Journal:
    """The journal in a file and in all that it includes."""
    return Parser(read).parse_file(os.path.normpath(path))


def parse_text(text: str, path: str = "<text>") -> Journal:
    """The journal in a text."""
    return Parser().parse_text(text, path)
