"""fcfast verify: replays a solution card by card."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from fcfast import deals, solutions
from fcfast.autoplay import POLICIES
from fcfast.cli import options as common
from fcfast.errors import BadSolution, FcfastError, IllegalMove
from fcfast.notation import STYLES, count_moves, count_singles
from fcfast.notation import read as read_moves
from fcfast.rules import Variant
from fcfast.solutions import Solution
from fcfast.terminal import show
from fcfast.verify import verify

if TYPE_CHECKING:
    from fcfast.board import Board


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "verify",
        "replay a solution card by card and say whether it wins",
        "fcfast solve 617 > 617.txt; fcfast verify 617.txt",
        "fcfast verify --deal 10712 --autoplay horne moves.txt",
    )
    parser.add_argument(
        "file", metavar="FILE", help="what `fcfast solve` printed, or moves alone; - for stdin"
    )
    board = parser.add_mutually_exclusive_group()
    board.add_argument(
        "--deal",
        metavar="N",
        type=common.deal_number,
        help="the deal that was played (example: --deal 617)",
    )
    board.add_argument(
        "--board",
        metavar="FILE",
        help="a file with the board that was played (example: --board my.board)",
    )
    common.add_rules(parser)
    parser.add_argument(
        "--notation",
        choices=STYLES,
        help="how the moves are written, if not to be found out (example: --notation macro)",
    )
    parser.add_argument(
        "--autoplay",
        choices=POLICIES,
        help="what went home by itself, if not to be found out (example: --autoplay horne)",
    )
    common.add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    said = solutions.read(common.read_text(options.file))
    board, variant, number = board_played(options, said)
    try:
        reading = read_moves(
            board,
            said.moves,
            variant,
            autoplay=options.autoplay or said.autoplay,
            style=options.notation or said.notation,
        )
        verify(board, reading.moves, variant)
    except (BadSolution, IllegalMove) as error:
        fault = {"right": False, "fault": str(error)}
        show(json.dumps(fault) if options.json else f"Wrong: {error}")
        return common.Exit.IMPOSSIBLE
    moves = count_moves(board, reading.moves, reading.autoplay, variant)
    singles = count_singles(board, reading.moves, variant)
    if options.json:
        counts = {"moves": moves, "singles": singles}
        found = {"notation": reading.style, "autoplay": reading.autoplay}
        print(json.dumps({"right": True, "deal": number, "counts": counts, **found}))
    else:
        print(f"Right: {moves} moves, {singles} singles win {solutions.citation(number)}")
        print(f"{reading.style} notation, autoplay {reading.autoplay}")
    return common.Exit.DONE


def board_played(options: argparse.Namespace, said: Solution) -> tuple[Board, Variant, int | None]:
    """The board that the options name, else the one in the file, with its rules and number."""
    if options.deal is not None:
        variant = common.chosen_variant(options)
        return deals.deal(options.deal, variant), variant, options.deal
    if options.board is not None:
        return *common.read_board(options, options.board), None
    if said.board is None or said.variant is None:
        raise FcfastError(f"{options.file} names no board: add --deal N or --board FILE")
    if any(rule is not None for rule in (options.variant, options.cells, options.columns)):
        raise FcfastError(f"{options.file} names its rules itself: give no --variant and the like")
    return said.board, said.variant, said.deal
