"""fcfast find: the numbers of the deals that give a board."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from fcfast.cli import options as common
from fcfast.terminal import Progress, show


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "find",
        "find the numbers of the Microsoft deals that give a board",
        "fcfast find my.board",
        "fcfast deal 617 | fcfast find -",
    )
    parser.add_argument("file", metavar="FILE", help="a file with a board; - for stdin")
    common.add_rules(parser)
    parser.add_argument(
        "--permuted",
        action="store_true",
        help="columns of equal length may have changed places (example: --permuted)",
    )
    common.add_json(parser)
    common.add_quiet(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from fcfast.deals import find_deal

    board, _ = common.read_board(options, options.file)
    with Progress(options.quiet) as progress:
        numbers = find_deal(
            board,
            permuted=options.permuted,
            progress=lambda part: progress(f"{part:.0%} of all numbers tried"),
        )
    if options.json:
        print(json.dumps({"deals": numbers}))
    else:
        for number in numbers:
            print(number)
        if not numbers:
            show("fcfast: no number deals this board", sys.stderr)
    return common.Exit.DONE if numbers else common.Exit.IMPOSSIBLE
