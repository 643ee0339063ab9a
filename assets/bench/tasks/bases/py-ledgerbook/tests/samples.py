"""Journals and helpers that several tests use."""

import io
import os
import tempfile
from datetime import date

from ledgerbook.cli.main import main
from ledgerbook.session import session_of

TODAY = date(2024, 3, 15)

SMALL = """\
commodity EUR
    format 1,000.00 EUR

2024-01-01 * Opening
    Assets:Bank:Giro     1,000.00 EUR
    Assets:Bank:Savings  5,000.00 EUR
    Equity:Opening

2024-01-10 * Baker | rolls  ; receipt:
    Expenses:Food:Groceries  4.20 EUR
    Assets:Cash

2024-01-31 * Employer
    Assets:Bank:Giro  2,000.00 EUR
    Income:Salary

2024-02-03 ! Trattoria | birthday  ; trip: Verona
    Expenses:Food:Restaurants  60.00 EUR
    Liabilities:Card

2024-03-01 Landlord | rent
    Expenses:Rent  700.00 EUR
    Assets:Bank:Giro
"""


def small(**more):
    return session_of(SMALL, TODAY, **more)


def dedented(table):
    """The lines of a table, with single spaces."""
    return [" ".join(line.split()) for line in table.text().splitlines()]


class Folder:
    """Files in a temporary folder, for commands."""

    def __init__(self, **files):
        self.place = tempfile.TemporaryDirectory()
        for name, text in files.items():
            self.write(name.replace("__", "."), text)

    def path(self, name):
        return os.path.join(self.place.name, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def append(self, name, text):
        with open(self.path(name), "a", encoding="utf-8") as file:
            file.write(text)

    def run(self, *words, journal="main.ledger"):
        """Exit code, output and errors of a command."""
        out, err = io.StringIO(), io.StringIO()
        code = main(["-f", self.path(journal), "--today", TODAY.isoformat(), *words], out, err)
        return code, out.getvalue(), err.getvalue()

    def close(self):
        self.place.cleanup()
