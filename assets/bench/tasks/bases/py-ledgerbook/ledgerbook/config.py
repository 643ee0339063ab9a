"""Settings from an INI file: `ledgerbook.ini` beside the journal, or the one named by --config.

    [ledgerbook]
    journal = household.ledger
    currency = EUR
    depth = 3
    width = 100
    strict = yes

    [roots]
    Vermögen = assets

    [colours]
    negative = red
"""

from __future__ import annotations

import configparser
import os
from dataclasses import dataclass, field
from typing import Dict, Optional

from ledgerbook import accounts
from ledgerbook.errors import ConfigError

NAME = "ledgerbook.ini"
KNOWN = {"journal", "currency", "depth", "width", "strict"}


@dataclass
class Config:
    journal: Optional[str] = None
    currency: Optional[str] = None
    """Reports are in this commodity, unless --exchange says another."""
    depth: Optional[int] = None
    width: int = 80
    strict: bool = False
    """Accounts, commodities and tags have to be declared."""
    roots: Dict[str, str] = field(default_factory=dict)
    """More names of root accounts, in small letters, with their kind."""


def read_config(path: str) -> Config:
    """The settings in a file."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        with open(path, encoding="utf-8") as file:
            parser.read_file(file)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except (configparser.Error, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {str(error).splitlines()[0]}") from None
    return config_of(parser, path)


def config_of(parser: configparser.ConfigParser, path: str) -> Config:
    config = Config()
    section = parser["ledgerbook"] if parser.has_section("ledgerbook") else {}
    unknown = sorted(set(section) - KNOWN)
    if unknown:
        raise ConfigError(f"{path}: there is no setting '{unknown[0]}'")
    if "journal" in section:
        config.journal = os.path.join(os.path.dirname(path), section["journal"])
    config.currency = section.get("currency", config.currency)
    if "depth" in section:
        config.depth = _number(path, "depth", section["depth"], least=1)
    if "width" in section:
        config.width = _number(path, "width", section["width"], least=40)
    if "strict" in section:
        config.strict = _yes_or_no(path, "strict", section["strict"])
    if parser.has_section("roots"):
        for name, kind in parser["roots"].items():
            if kind not in accounts.KINDS:
                raise ConfigError(f"{path}: '{kind}' is no kind of account; there are {', '.join(accounts.KINDS)}")
            config.roots[name.lower()] = kind
    return config


def _number(path: str, name: str, text: str, least: int) -> int:
    if not text.isdigit() or int(text) < least:
        raise ConfigError(f"{path}: '{name}' is a number of at least {least}, not '{text}'")
    return int(text)


def _yes_or_no(path: str, name: str, text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ConfigError(f"{path}: '{name}' is yes or no, not '{text}'")
    return text.lower() == "yes"


def find_config(named: Optional[str], journal: Optional[str]) -> Config:
    """The named file; else the one beside the journal; else the usual settings."""
    if named is not None:
        return read_config(named)
    beside = os.path.join(os.path.dirname(journal) if journal else ".", NAME)
    if os.path.exists(beside):
        return read_config(beside)
    return Config()
