"""fcfast solve: solves a deal or a board, or proves that it cannot be won."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from fcfast import solutions
from fcfast.cli import options as common
from fcfast.errors import FcfastError
from fcfast.notation import STYLES
from fcfast.terminal import Progress, show


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "solve",
        "solve a deal or a board, or prove that it cannot be won",
        "fcfast solve 617",
        "fcfast solve 11982 --cells 5 --boards",
        "fcfast solve 617 --goal short --time 1",
        "fcfast deal 24 | fcfast solve - --variant bakers_game --json",
    )
    common.add_source(parser)
    common.add_rules(parser)
    parser.add_argument(
        "--notation",
        choices=STYLES,
        default="standard",
        help="how moves are written; standard if not given (example: --notation macro)",
    )
    common.add_autoplay(parser)
    common.add_goal(parser)
    parser.add_argument(
        "--improve",
        metavar="FILE",
        help="start from the solution in a file, or - for stdin "
        "(example: --improve old.txt --goal short)",
    )
    parser.add_argument(
        "--count",
        action="store_true",
        help="count the different shortest solutions (example: --count --goal optimal)",
    )
    parser.add_argument(
        "--all",
        metavar="N",
        type=common.whole,
        help="count them and print N at most (example: --all 10 --goal optimal)",
    )
    parser.add_argument(
        "--boards",
        action="store_true",
        help="show the position after every movement too (example: --boards)",
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        type=common.new_file,
        help="also write a page that steps through the solution (example: --html 617.html)",
    )
    common.add_json(parser)
    common.add_limits(parser)
    common.add_quiet(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from fcfast.solve import solve

    count = options.count or options.all is not None
    if count and options.goal != "optimal":
        raise FcfastError("--count and --all need --goal optimal")
    count = options.count or options.all is not None
    if count and options.goal != "optimal":
        raise FcfastError("--count and --all need --goal optimal")
    board, variant, number = common.read_source(options)
    known, others = None, None
    if options.improve is not None:
        known = solutions.moves_of(common.read_text(options.improve), board, variant)
    with Progress(options.quiet) as line:

        def progress(stage: str, nodes: int, held: int) -> None:
            line(f"{nodes:,} nodes, {held >> 20:,} MiB, {stage}")

        limits = {**common.limits_of(options), "progress": progress}
        result = solve(
            board,
            variant=variant,
            goal=options.goal,
            metric=options.metric,
            improve=known,
            autoplay=options.autoplay,
            **limits,
        )
        if count and result.stats.proved:
            from fcfast.shortest import all_shortest

            others = all_shortest(result, options.all or 0, **limits)
    if options.html is not None and result.moves:
        from fcfast.page import write_page

        title = f"Deal {number}" if number is not None else "FreeCell"
        options.html.write_text(write_page(result, title), encoding="utf-8")
    elif options.html is not None:
        show(f"fcfast: {options.html} is not written: there is no solution to show", sys.stderr)
    if options.json:
        print(solutions.write_json(result, number, options.notation, others))
    else:
        show(solutions.write_text(result, number, options.notation, options.boards, others))
    return common.exit_code(result)
