"""From the words of the command line to text and an exit code."""

from __future__ import annotations

import sys
from typing import List, Optional, TextIO

from ledgerbook.cli.commands import COMMANDS
from ledgerbook.cli.options import forecast_of, parse, today_of
from ledgerbook.config import find_config
from ledgerbook.errors import LedgerError
from ledgerbook.session import open_session


def run(arguments: List[str]) -> str:
    """The text of a command. Errors are raised."""
    options = parse(arguments)
    today = today_of(options)
    config = find_config(options.config, options.file)
    session = open_session(options.file, config, today, forecast_of(options, today))
    return COMMANDS[options.command](session, options)


def main(arguments: List[str], out: Optional[TextIO] = None, err: Optional[TextIO] = None) -> int:
    """Prints what a command has to say, and gives the exit code."""
    out = out or sys.stdout
    err = err or sys.stderr
    try:
        out.write(run(arguments))
    except LedgerError as error:
        for line in str(error).splitlines():
            err.write(f"ledgerbook: {line}\n")
        return error.exit_code
    return 0
