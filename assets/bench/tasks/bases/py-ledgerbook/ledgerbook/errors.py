"""Everything that can go wrong in a way the user can do something about.

The command line turns each of these into one line on the standard error and an exit code; anything else is a bug and
keeps its traceback.
"""

from __future__ import annotations


class LedgerError(Exception):
    """Base of all errors that are shown without a traceback."""

    exit_code = 1


class ParseError(LedgerError):
    """A line of a journal that cannot be read."""

    exit_code = 2

    def __init__(self, path: str, line: int, message: str):
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


class UnbalancedError(LedgerError):
    """A transaction whose postings do not add up to zero."""

    exit_code = 3


class AssertionFailed(LedgerError):
    """An account does not hold what a posting says it holds."""

    exit_code = 3


class NoPriceError(LedgerError):
    """An amount cannot be converted, for want of a price."""


class QueryError(LedgerError):
    """A query that makes no sense."""

    exit_code = 2


class DateError(LedgerError):
    """A date or period that cannot be read."""

    exit_code = 2


class ConfigError(LedgerError):
    """The settings file is wrong."""

    exit_code = 2


class RulesError(LedgerError):
    """The rules file of an import is wrong, or does not fit the CSV file."""

    exit_code = 2
