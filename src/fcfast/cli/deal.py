"""fcfast deal: prints a numbered deal."""

from __future__ import annotations

import argparse
from typing import Any

from fcfast import deals
from fcfast.cli import options as common
from fcfast.terminal import show


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "deal",
        "print the board of a numbered Microsoft deal",
        "fcfast deal 617",
        "fcfast deal 24 --variant seahaven_towers --style unicode",
    )
    parser.add_argument(
        "number",
        metavar="N|CODE",
        help="1..8589934591, -1 or -2, or a code such as FC1-C4-AAAAAKH",
    )
    common.add_rules(parser)
    parser.add_argument(
        "--style",
        choices=("fc-solve", "rows", "unicode"),
        default="fc-solve",
        help="how the board is laid out (example: --style unicode)",
    )
    common.add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    board = deals.deal(*common.chosen_deal(options, options.number))
    show(board.to_text("json" if options.json else options.style).rstrip("\n"))
    return common.Exit.DONE
