"""What commands have in common: exit codes, options and how their values are read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcfast import deals, solutions
from fcfast.autoplay import POLICIES
from fcfast.errors import FcfastError
from fcfast.play import codes
from fcfast.result import GOALS, METRICS
from fcfast.rules import FREECELL, Variant
from fcfast.terminal import show

if TYPE_CHECKING:
    from fcfast.board import Board
    from fcfast.result import Result

MOST_CHARACTERS = 1_000_000  # a solution with all its boards has 60,000
EXIT_CODES = """\
exit codes:
  0    solved, or done
  1    proved impossible; verify: a wrong solution; find: no number deals the board
  2    bad input or usage
  3    a limit was reached first
  130  interrupted
"""


class Exit(IntEnum):
    """Exit codes; PIPE is what a shell reports for a program that lost its reader."""

    DONE = 0
    IMPOSSIBLE = 1
    USAGE = 2
    LIMIT = 3
    INTERRUPTED = 130
    PIPE = 141


def exit_code(result: Result) -> Exit:
    """The exit code of a verdict."""
    return {"SOLVED": Exit.DONE, "IMPOSSIBLE": Exit.IMPOSSIBLE, "LIMIT": Exit.LIMIT}[
        result.status.name
    ]


def complain(*messages: str) -> int:
    """Prints messages on stderr; returns the exit code of bad input."""
    for message in messages:
        show(f"fcfast: {message}", sys.stderr)
    return Exit.USAGE


def in_words(error: OSError) -> str:
    """What the system says, after the file's name where it is about one."""
    if error.strerror is None:
        return str(error)
    said = error.strerror[:1].lower() + error.strerror[1:]
    if isinstance(error, FileExistsError):  # where a folder was to be
        said = "it is a file, not a folder"
    return said if error.filename is None else f"{error.filename}: {said}"


# Parsers


def new_parser(make: Callable[..., Any], *names: str, **options: Any) -> Any:
    """A parser without abbreviated options, whose help keeps its line breaks."""
    return make(
        *names,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **options,
    )


def new_command(commands: Any, name: str, summary: str, *examples: str) -> Any:
    """The parser of a command, to which its module adds arguments."""
    shown = "\n".join(f"  {example}" for example in examples)
    return new_parser(
        commands.add_parser,
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{shown}\n\n{EXIT_CODES}",
    )


# Values. Their errors become argparse's, which name the option.


def checked(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """`read` as argparse wants it: what a FcfastError says is shown as it is."""

    def reader(text: str) -> Any:
        try:
            return read(text)
        except FcfastError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


@checked
def whole(text: str) -> int:
    """A whole number that is not negative."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise FcfastError(f"{text!r} is not a whole number")
    return int(text)


@checked
def positive(text: str) -> int:
    """A whole number from 1."""
    if text.isascii() and text.isdigit() and not text.strip("0"):
        raise FcfastError(f"{text!r} is too few: 1 or more")
    return int(whole(text))


@checked
def seconds(text: str) -> float:
    """A number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1e9:
        raise FcfastError(f"{text!r} is not a number of seconds")
    return value


@checked
def size(text: str) -> int:
    """Bytes: ``4000000``, ``512M``, ``2G``."""
    unit = "KMG".find(text[-1:].upper()) + 1 if text else 0
    digits = text[:-1] if unit else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise FcfastError(f"{text!r} is not a size such as 512M or 2G")
    return int(digits) << 10 * unit


@checked
def memory(text: str) -> int:
    """A size that a search can work in."""
    from fcfast.native.engine import LEAST_BYTES

    value: int = size(text)
    if value < LEAST_BYTES:
        raise FcfastError(f"{text} is too little: {LEAST_BYTES >> 10}K or more")
    return value


@checked
def new_file(text: str) -> Path:
    """The name of a file or folder to be written."""
    if text in ("", "-"):
        raise FcfastError(f"{text!r} is not the name of one; stdout has the answer")
    return Path(text)


deal_number = checked(deals.parse_number)
variant = checked(solutions.read_variant)


# Options


def add_source(parser: Any, **options: Any) -> None:
    """The board that a command is about; read_source() reads it."""
    parser.add_argument(
        "source",
        metavar="N|FILE|-",
        help="a deal's number or code, a file with a board, or - for stdin",
        **options,
    )


def add_rules(parser: Any, cells: bool = True) -> None:
    """--variant, --cells (if it is for the player to choose) and --columns; chosen_variant()
    reads them."""
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--variant",
        metavar="NAME",
        type=variant,
        help="rules to play by, a name or a JSON object; freecell if not given "
        "(example: --variant eight_off)",
    )
    if cells:
        rules.add_argument(
            "--cells",
            metavar="N",
            type=whole,
            help="number of free cells, 0 to 10 (example: --cells 2)",
        )
    parser.set_defaults(cells=None)
    rules.add_argument(
        "--columns",
        metavar="N",
        type=whole,
        help="number of columns, 1 to 13 (example: --columns 7)",
    )


def chosen_variant(options: argparse.Namespace) -> Variant:
    """The variant that the options of add_rules() name."""
    changes = {"cells": options.cells, "columns": options.columns}
    chosen: Variant = options.variant or FREECELL
    return chosen.replace(**{name: n for name, n in changes.items() if n is not None})


def add_autoplay(parser: Any) -> None:
    """--autoplay."""
    parser.add_argument(
        "--autoplay",
        choices=POLICIES,
        default="safe",
        help="which cards go home by themselves, unwritten; safe if not given "
        "(example: --autoplay horne)",
    )


def add_goal(parser: Any) -> None:
    """--goal and --metric."""
    parser.add_argument(
        "--goal",
        choices=GOALS,
        default="any",
        help="some solution; short: shorter and shorter ones until a limit; optimal: a shortest "
        "one, proved (example: --goal short --time 1)",
    )
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="moves",
        help="what short means (example: --metric singles --goal optimal)",
    )


def add_limits(parser: Any, name: str = "limits") -> None:
    """--node-limit, --time-limit and --memory-limit; limits_of() reads them."""
    limits = parser.add_argument_group(name)
    limits.add_argument(
        "--node-limit",
        metavar="N",
        type=whole,
        help="search this many positions at most (example: --node-limit 100000)",
    )
    limits.add_argument(
        "--time-limit",
        "--time",
        metavar="SECONDS",
        type=seconds,
        help="search this long at most (example: --time-limit 2.5)",
    )
    limits.add_argument(
        "--memory-limit",
        metavar="SIZE",
        type=memory,
        help="search in this much memory at most, from 64K; 2G if not given "
        "(example: --memory-limit 512M)",
    )


def limits_of(options: argparse.Namespace) -> dict[str, Any]:
    """The limits, as solve() and all that search take them."""
    names = ("node_limit", "time_limit", "memory_limit")
    return {name: getattr(options, name) for name in names}


def add_workers(parser: Any) -> None:
    """--workers."""
    parser.add_argument(
        "--workers",
        metavar="N",
        type=positive,
        help="search with so many threads; one a core if not given (example: --workers 2)",
    )


def add_json(parser: Any) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print JSON only (example: --json)")


def add_quiet(parser: Any) -> None:
    """--quiet."""
    parser.add_argument(
        "--quiet", action="store_true", help="show no progress on stderr (example: --quiet)"
    )


# Input


def chosen_deal(options: argparse.Namespace, text: str) -> tuple[int, Variant]:
    """The deal that a number or a code means, and its rules: a code says how many cells."""
    rules = chosen_variant(options)
    if not codes.is_code(text):
        return deals.parse_number(text), rules
    number, cells = codes.read_code(text)
    return number, rules if options.cells is not None else rules.replace(cells=cells)


def read_text(name: str) -> str:
    """The text of a file, or of stdin for ``-``. Raises FcfastError for one without an end."""
    try:
        # Python decodes stdin in its own way, which lets wrong bytes through.
        source: int | str = sys.stdin.fileno() if name == "-" else name
        with open(source, encoding="utf-8-sig", closefd=name != "-") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except UnicodeDecodeError as error:
        raise FcfastError(f"{name} is not text in UTF-8: {error.reason}") from None
    if len(text) > MOST_CHARACTERS:
        raise FcfastError(f"{name} has more than {MOST_CHARACTERS:,} characters")
    return text


def read_board(options: argparse.Namespace, name: str) -> tuple[Board, Variant]:
    """The board in a file, or in stdin for ``-``, and the rules with its number of cells."""
    from fcfast import boardtext

    rules = chosen_variant(options)
    board, notes = boardtext.read_board(read_text(name), rules, options.cells, options.columns)
    for note in notes:
        show(f"fcfast: {name}: {note}", sys.stderr)
    return board, rules.replace(cells=len(board.cells))


def read_source(options: argparse.Namespace) -> tuple[Board, Variant, int | None]:
    """The board of options.source (a number or code, a file, ``-``), its rules, and its number if
    given.

    A number is a deal even where a file has that name; ``./617`` is the file.
    """
    source: str = options.source
    if not (deals.is_number(source) or codes.is_code(source)):
        if source != "-" and not (source and Path(source).exists()):
            raise FcfastError(f"{source!r} is no file, and no deal: {deals.ALLOWED}")
        return *read_board(options, source), None
    number, rules = chosen_deal(options, source)
    return deals.deal(number, rules), rules, number
