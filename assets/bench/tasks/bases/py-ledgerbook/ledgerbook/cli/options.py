"""What can be said on the command line."""

from __future__ import annotations

import argparse
from datetime import date
from typing import List, NoReturn, Optional

from ledgerbook import __version__
from ledgerbook.dates import UNITS, parse_date
from ledgerbook.errors import DateError, LedgerError
from ledgerbook.periods import Period, parse_period, parse_start
from ledgerbook.query import parse_query
from ledgerbook.reports.common import Wanted


class UsageError(LedgerError):
    """The command line makes no sense."""

    exit_code = 64


class _Parser(argparse.ArgumentParser):
    """Raises instead of leaving the program, so that callers decide."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def make_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="ledgerbook", description="Plain-text double-entry bookkeeping.")
    parser.add_argument("-f", "--file", help="the journal")
    parser.add_argument("--config", help="the settings file")
    parser.add_argument("--today", help="the day to take for today, as 2024-12-31")
    parser.add_argument("--version", action="version", version=f"ledgerbook {__version__}")
    commands = parser.add_subparsers(dest="command", parser_class=_Parser)
    reporting = _reporting()

    balance = commands.add_parser("balance", aliases=["bal"], parents=[reporting], help="balances of accounts")
    balance.add_argument("--flat", action="store_true", help="a list instead of a tree")
    balance.add_argument("--empty", action="store_true", help="declared accounts that hold nothing as well")
    register = commands.add_parser("register", aliases=["reg"], parents=[reporting], help="postings one by one")
    register.add_argument("--cumulative", action="store_true", help="begin with what was before the period")
    register.add_argument("--reverse", action="store_true", help="newest first")
    trend = commands.add_parser("trend", parents=[reporting], help="accounts by period")
    trend.add_argument("--cumulative", action="store_true", help="what was held at the end of each period")
    commands.add_parser("networth", parents=[reporting], help="assets and liabilities by period")
    commands.add_parser("income", parents=[reporting], help="income and expenses")
    commands.add_parser("budget", parents=[reporting], help="what was spent, and what was meant to be")
    commands.add_parser("stats", parents=[reporting], help="a journal in numbers")
    accounts = commands.add_parser("accounts", parents=[reporting], help="names of accounts")
    accounts.add_argument("--notes", action="store_true", help="with their notes")
    printing = commands.add_parser("print", parents=[reporting], help="transactions as they stand in journals")
    printing.add_argument("--explicit", action="store_true", help="with all amounts")
    export = commands.add_parser("export", parents=[reporting], help="postings for other programs")
    export.add_argument("--json", action="store_true", help="transactions as JSON instead of postings as CSV")
    commands.add_parser("prices", help="all prices, said and paid")
    commands.add_parser("check", help="look for mistakes")
    importing = commands.add_parser("import", help="transactions from the CSV file of a bank")
    importing.add_argument("rules", help="the rules file")
    importing.add_argument("statement", help="the CSV file")
    return parser


def _reporting() -> argparse.ArgumentParser:
    """Options of all reports."""
    parser = _Parser(add_help=False)
    parser.add_argument("-b", "--begin", help="from this day or period on")
    parser.add_argument("-e", "--end", help="before this day or period")
    parser.add_argument("-p", "--period", help="a period, as 2024-03 or 'last month'")
    parser.add_argument("-d", "--depth", type=int, help="so many levels of accounts")
    parser.add_argument("-X", "--exchange", help="show amounts in this commodity")
    parser.add_argument("--forecast", metavar="DAY", help="with what periodic rules bring before that day")
    parser.add_argument("--csv", action="store_true", help="the report for spreadsheets")
    for unit, name in zip(UNITS, ("daily", "weekly", "monthly", "quarterly", "yearly")):
        parser.add_argument(f"--{name}", dest="unit", action="store_const", const=unit, help=f"by {unit}")
    parser.add_argument("query", nargs="*", help="which postings; see docs/queries.md")
    return parser


def parse(arguments: List[str]) -> argparse.Namespace:
    options = make_parser().parse_args(arguments)
    if options.command is None:
        raise UsageError("a command is missing; see --help")
    return options


def today_of(options: argparse.Namespace) -> date:
    if options.today is None:
        return date.today()
    return parse_date(options.today)


def forecast_of(options: argparse.Namespace, today: date) -> Optional[date]:
    text = getattr(options, "forecast", None)
    return None if text is None else parse_start(text, today)


def period_of(options: argparse.Namespace, today: date) -> Period:
    """--period, narrowed by --begin and --end."""
    period = parse_period(options.period, today) if options.period else Period()
    start = parse_start(options.begin, today) if options.begin else None
    end = parse_start(options.end, today) if options.end else None
    if start is not None and end is not None and end < start:
        raise DateError("--end is before --begin")
    return period.within(Period(start, end))


def wanted_of(options: argparse.Namespace, today: date, depth: Optional[int]) -> Wanted:
    """The options of a report. `depth` is that of the settings."""
    if options.depth is not None and options.depth < 1:
        raise UsageError("--depth is at least 1")
    return Wanted(
        query=parse_query(options.query, today),
        period=period_of(options, today),
        unit=options.unit or "month",
        depth=options.depth if options.depth is not None else depth,
        exchange=options.exchange,
        flat=getattr(options, "flat", False),
        empty=getattr(options, "empty", False),
        cumulative=getattr(options, "cumulative", False),
        reverse=getattr(options, "reverse", False),
    )
