"""Transactions that are still to come, from the periodic rules of a journal."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Iterator, List

from ledgerbook.dates import step
from ledgerbook.model import Journal, PeriodicRule, Transaction


def occurrences(rule: PeriodicRule, until: date) -> Iterator[date]:
    """The days of a rule before `until`. A rule that began on the 31st falls on the last day of shorter months."""
    first = rule.span.start
    if first is None:
        return
    end = until if rule.span.end is None else min(until, rule.span.end)
    count = 0
    while True:
        day = step(first, rule.unit, count * rule.every, anchor=first.day)
        if day >= end:
            return
        yield day
        count += 1


def generate(rule: PeriodicRule, after: date, until: date) -> List[Transaction]:
    """The transactions of a rule behind the day `after`, and before `until`."""
    return [made(rule.template, day) for day in occurrences(rule, until) if day > after]


def made(template: Transaction, day: date) -> Transaction:
    """A transaction like the template on that day."""
    postings = [replace(posting, tags=dict(posting.tags), assertion=None) for posting in template.postings]
    return replace(template, date=day, postings=postings, tags=dict(template.tags), generated=True)


def forecast(journal: Journal, until: date) -> List[Transaction]:
    """What is to come after the last transaction of the journal that is no forecast itself."""
    written = [transaction.date for transaction in journal.transactions if not transaction.generated]
    after = max(written) if written else date.min
    transactions: List[Transaction] = []
    for rule in journal.rules:
        transactions.extend(generate(rule, after, until))
    return sorted(transactions, key=lambda transaction: transaction.date)


def add_forecast(journal: Journal, until: date) -> int:
    """Adds what is to come to the journal, and says how much that was."""
    coming = forecast(journal, until)
    journal.transactions.extend(coming)
    return len(coming)
