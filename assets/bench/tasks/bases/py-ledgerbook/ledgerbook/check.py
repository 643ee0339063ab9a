"""Looks for what is probably a mistake, though it can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Set, Tuple

from ledgerbook import accounts
from ledgerbook.config import Config
from ledgerbook.model import Journal, Position, Transaction


@dataclass(frozen=True)
class Finding:
    position: Optional[Position]
    message: str

    def __str__(self) -> str:
        return f"{self.position}: {self.message}" if self.position else self.message


def check(journal: Journal, config: Config) -> List[Finding]:
    """All findings, by place."""
    findings: List[Finding] = []
    findings.extend(_closed(journal))
    findings.extend(_kinds(journal, config))
    findings.extend(_doubles(journal))
    if config.strict:
        findings.extend(_undeclared_accounts(journal))
        findings.extend(_undeclared_commodities(journal))
        findings.extend(_undeclared_tags(journal))
    return sorted(findings, key=_order)


def _order(finding: Finding) -> Tuple[str, int, str]:
    if finding.position is None:
        return ("", 0, finding.message)
    return (finding.position.path, finding.position.line, finding.message)


def _closed(journal: Journal) -> Iterator[Finding]:
    """Postings to accounts that are closed."""
    for transaction, posting in journal.postings():
        declared = journal.accounts.get(posting.account)
        if declared is not None and declared.closed is not None and transaction.date >= declared.closed:
            yield Finding(posting.position, f"{posting.account} is closed since {declared.closed}")


def _kinds(journal: Journal, config: Config) -> Iterator[Finding]:
    """Accounts of no known kind; each root once."""
    seen: Set[str] = set()
    for _, posting in journal.postings():
        root = accounts.parts(posting.account)[0]
        if root not in seen and accounts.kind(posting.account, config.roots) is None:
            seen.add(root)
            yield Finding(posting.position, f"'{root}' is no known root of accounts")


def _fingerprint(transaction: Transaction) -> Tuple[object, ...]:
    postings = tuple((posting.account, posting.amount) for posting in transaction.postings)
    return (transaction.date, transaction.payee, transaction.note, postings)


def _doubles(journal: Journal) -> Iterator[Finding]:
    """Transactions that stand there twice. Those with different tags were meant."""
    seen: Dict[Tuple[object, ...], List[Transaction]] = {}
    for transaction in journal.in_order():
        if transaction.generated:
            continue
        same = seen.setdefault(_fingerprint(transaction), [])
        if any(other.all_tags() == transaction.all_tags() for other in same):
            yield Finding(transaction.position, f"'{transaction.description()}' is the same as at {same[0].position}")
        same.append(transaction)


def _undeclared_accounts(journal: Journal) -> Iterator[Finding]:
    seen: Set[str] = set()
    for _, posting in journal.postings():
        if posting.account not in journal.accounts and posting.account not in seen:
            seen.add(posting.account)
            yield Finding(posting.position, f"account '{posting.account}' is not declared")


def _undeclared_commodities(journal: Journal) -> Iterator[Finding]:
    seen: Set[str] = set()
    for _, posting in journal.postings():
        name = posting.amount.commodity if posting.amount is not None else ""
        if name and name not in seen and not journal.commodities.is_declared(name):
            seen.add(name)
            yield Finding(posting.position, f"commodity '{name}' is not declared")


def _undeclared_tags(journal: Journal) -> Iterator[Finding]:
    for transaction in journal.in_order():
        for name in sorted(transaction.all_tags()):
            if name not in journal.tags:
                yield Finding(transaction.position, f"tag '{name}' is not declared")
