"""The commands: each gets a session and the options, and gives the text to print."""

from __future__ import annotations

import argparse
from typing import Callable, Dict, List

from ledgerbook import check as checks
from ledgerbook import export
from ledgerbook.accounts import clipped
from ledgerbook.cli.options import wanted_of
from ledgerbook.errors import LedgerError
from ledgerbook.importer.merge import import_statement
from ledgerbook.importer.rules import parse_rules
from ledgerbook.model import Transaction
from ledgerbook.reports.balance import balance_report
from ledgerbook.reports.budget import budget_report
from ledgerbook.reports.common import Wanted, items_of
from ledgerbook.reports.income import income_report
from ledgerbook.reports.networth import networth_report
from ledgerbook.reports.register import register_report
from ledgerbook.reports.stats import stats_report
from ledgerbook.reports.trend import trend_report
from ledgerbook.session import Session
from ledgerbook.table import Table
from ledgerbook.writer import write_price, write_transactions

Report = Callable[[Session, Wanted], Table]
Command = Callable[[Session, argparse.Namespace], str]

REPORTS: Dict[str, Report] = {
    "balance": balance_report,
    "bal": balance_report,
    "register": register_report,
    "reg": register_report,
    "trend": trend_report,
    "networth": networth_report,
    "income": income_report,
    "budget": budget_report,
    "stats": stats_report,
}


class FindingsError(LedgerError):
    """`check` found something; the findings are the message."""

    exit_code = 4


def _wanted(session: Session, options: argparse.Namespace) -> Wanted:
    return wanted_of(options, session.today, session.config.depth)


def run_report(session: Session, options: argparse.Namespace) -> str:
    table = REPORTS[options.command](session, _wanted(session, options))
    return table.csv() if options.csv else table.text(session.config.width)


def matching(session: Session, options: argparse.Namespace) -> List[Transaction]:
    """Whole transactions of which a posting matches."""
    wanted = _wanted(session, options)
    return [
        transaction
        for transaction in session.journal.in_order()
        if transaction.date in wanted.period and (wanted.query is None or wanted.query.matches_any(transaction))
    ]


def run_print(session: Session, options: argparse.Namespace) -> str:
    return write_transactions(matching(session, options), session.journal.commodities, options.explicit)


def run_export(session: Session, options: argparse.Namespace) -> str:
    if options.json:
        return export.to_json(matching(session, options))
    return export.to_csv(items_of(session, _wanted(session, options)))


def run_accounts(session: Session, options: argparse.Namespace) -> str:
    """Accounts that are used, and all that are declared when there is no query."""
    wanted = _wanted(session, options)
    names = {posting.account for _, posting in items_of(session, wanted)}
    if wanted.query is None and wanted.period.start is None and wanted.period.end is None:
        names.update(session.journal.accounts)
    lines = []
    for name in sorted({clipped(name, wanted.depth) for name in names}):
        declared = session.journal.accounts.get(name)
        note = declared.note if declared is not None and options.notes else ""
        lines.append(f"{name}  ; {note}" if note else name)
    return "".join(line + "\n" for line in lines)


def run_prices(session: Session, options: argparse.Namespace) -> str:
    lines = [write_price(entry, session.journal.commodities) for entry in session.prices.history()]
    return "".join(line + "\n" for line in lines)


def run_check(session: Session, options: argparse.Namespace) -> str:
    findings = checks.check(session.journal, session.config)
    if findings:
        raise FindingsError("\n".join(str(finding) for finding in findings))
    return f"{len(session.journal.transactions)} transactions, nothing found\n"


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except OSError as error:
        raise LedgerError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise LedgerError(f"cannot read {path}: it is not UTF-8 text") from None


def run_import(session: Session, options: argparse.Namespace) -> str:
    """Prints what is new, for appending to the journal."""
    rules = parse_rules(read(options.rules), options.rules)
    imported = import_statement(read(options.statement), rules, session.journal, options.statement)
    note = f"; {len(imported.new)} new, {imported.known} known\n"
    if not imported.new:
        return note
    return note + "\n" + write_transactions(imported.new, session.journal.commodities)


COMMANDS: Dict[str, Command] = {
    **{name: run_report for name in REPORTS},
    "print": run_print,
    "export": run_export,
    "accounts": run_accounts,
    "prices": run_prices,
    "check": run_check,
    "import": run_import,
}
