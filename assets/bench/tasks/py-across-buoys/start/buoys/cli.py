import argparse
from dataclasses import replace
from pathlib import Path

from buoys.config import ConfigError, parse, positive_number, positive_whole
from buoys.fleet import ask_all
from buoys.radio import radio
from buoys.show import show


def parser():
    parser = argparse.ArgumentParser(prog="buoys", allow_abbrev=False)
    parser.add_argument("config", type=Path)
    parser.add_argument("what", choices=["show", "read"])
    parser.add_argument("--timeout", help="seconds to wait for an answer")
    parser.add_argument("--tries", help="how often to ask")
    return parser


def main(arguments, opener=radio):
    options = parser().parse_args(arguments)
    try:
        settings = parse(options.config.read_text(encoding="utf-8"))
        if options.timeout is not None:
            settings = replace(settings, timeout=positive_number(options.timeout))
        if options.tries is not None:
            settings = replace(settings, tries=positive_whole(options.tries))
    except ConfigError as error:
        print(f"buoys: {error}")
        return 1
    if options.what == "show":
        print(show(settings))
    else:
        for line in ask_all(settings, opener):
            print(line)
    return 0
