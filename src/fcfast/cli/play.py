"""fcfast play: the game at a terminal."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcfast import deals
from fcfast.cli import options as common
from fcfast.errors import FcfastError, InvalidDeal
from fcfast.play.houserules import NAMES, OPTIONS, PRESETS, HouseRules

if TYPE_CHECKING:
    from fcfast.play.game import Game
    from fcfast.play.records import Records


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "play",
        "play FreeCell in the terminal",
        "fcfast play",
        "fcfast play 617 --rules linear",
        "fcfast play --daily --rules strict --cells 2 --face-down",
        "fcfast play FC1-C4-AAAAAKH --rules app",
        "fcfast play --watch 617",
    )
    parser.add_argument(
        "source",
        metavar="N|CODE|FILE",
        nargs="?",
        help="a deal's number or code, a file with a board or a saved game; a random deal if none",
    )
    parser.add_argument(
        "--daily", action="store_true", help="the deal of the day (example: --daily)"
    )
    parser.add_argument(
        "--random-from",
        metavar="N|all",
        type=_range,
        default=32000,
        help="random deals are 1 to N, as far as the house rules deal; 32000 if not given "
        "(example: --random-from 1000000)",
    )
    parser.add_argument(
        "--watch", action="store_true", help="watch a solution (example: --watch 617)"
    )
    parser.add_argument(
        "--pause",
        metavar="SECONDS",
        type=common.seconds,
        default=1.0,
        help="between the moves that are watched (example: --pause 0.5)",
    )
    parser.add_argument(
        "--guard",
        action="store_true",
        help="warn when a move turns a won position into a lost one (example: --guard)",
    )
    _add_house_rules(parser)
    looks = parser.add_argument_group("looks")
    looks.add_argument(
        "--plain",
        action="store_true",
        help="sentences instead of a drawing, for screen readers and logs (example: --plain)",
    )
    looks.add_argument(
        "--letters", action="store_true", help="C D H S instead of glyphs (example: --letters)"
    )
    looks.add_argument(
        "--four-colours",
        action="store_true",
        help="a colour for each suit (example: --four-colours)",
    )
    add_records(parser)
    parser.set_defaults(run=run)


def _add_house_rules(parser: Any) -> None:
    """--rules and an option for each house rule, as houserules.OPTIONS has them."""
    house = parser.add_argument_group("house rules")
    house.add_argument(
        "--rules",
        metavar="NAME",
        type=common.checked(HouseRules.parse),
        default=PRESETS["web"],
        help=f"{NAMES}; web if not given (example: --rules linear)",
    )
    for name, option in OPTIONS.items():
        flag = f"--{name.replace('_', '-')}"
        if option.values == "on|off":
            house.add_argument(
                flag,
                dest=f"house_{name}",
                action=argparse.BooleanOptionalAction,
                help=f"{option.summary} (example: {flag})",
            )
        else:
            house.add_argument(
                flag,
                dest=f"house_{name}",
                metavar=option.values,
                type=common.checked(option.read),
                help=f"{option.summary} (example: {flag} {option.example})",
            )


def add_records(parser: Any) -> None:
    """--records and --no-records; chosen_records() reads them."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--records",
        metavar="FILE",
        type=Path,
        help="where games are recorded (example: --records ~/freecell.sqlite3)",
    )
    group.add_argument(
        "--no-records", action="store_true", help="record nothing (example: --no-records)"
    )


def chosen_records(options: argparse.Namespace) -> Records | None:
    """The records that the options name."""
    from fcfast.play.records import Records, default_path

    if options.no_records:
        return None
    return Records(options.records.expanduser() if options.records else default_path())


def run(options: argparse.Namespace) -> int:
    from fcfast.play.commands import BY_NAME
    from fcfast.play.loop import Loop
    from fcfast.play.reader import line_reader
    from fcfast.play.screen import Screen
    from fcfast.play.watch import watch

    house = _chosen_house(options)
    game = _chosen_game(options, house)
    screen = Screen(options.plain, options.letters, options.four_colours)
    if options.watch:
        verdict = watch(game, screen, options.pause)
        if verdict in ("winnable", "won"):
            return common.Exit.DONE
        return common.Exit.IMPOSSIBLE if verdict == "lost" else common.Exit.LIMIT
    for name in ("SIGHUP", "SIGTERM"):  # a closed window keeps the game, as quit does
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _stop)
    read, asks = line_reader(sorted(BY_NAME), options.plain)
    records = chosen_records(options)
    offers = options.source is None and not options.daily
    guard, random_from = options.guard, options.random_from
    Loop(game, screen, read, records, asks, offers, guard, random_from, house).run()
    return common.Exit.DONE


def _stop(number: int, frame: object) -> None:
    from fcfast.play.reader import ignore_hangup

    ignore_hangup()  # one is enough
    raise SystemExit(128 + number)


def _chosen_house(options: argparse.Namespace) -> HouseRules:
    chosen = {name: getattr(options, f"house_{name}") for name in OPTIONS}
    house: HouseRules = options.rules
    return house.replace(**{name: value for name, value in chosen.items() if value is not None})


def _chosen_game(options: argparse.Namespace, house: HouseRules) -> Game:
    from fcfast.boardtext import read_board
    from fcfast.play.choosing import daily_number, random_game
    from fcfast.play.codes import is_code
    from fcfast.play.game import Game
    from fcfast.play.saves import HEADING

    source = options.source
    if options.daily:
        if source is not None:
            raise FcfastError("either --daily or a deal, not both")
        return Game(daily_number(), house)
    if source is None:
        return random_game(house, options.random_from)
    if is_code(source):
        return Game(source, house)
    try:
        return Game(deals.parse_number(source), house)
    except InvalidDeal as error:
        if re.fullmatch("[+-]?[0-9]+", source):
            raise
        if not Path(source).exists():
            raise InvalidDeal(f"{error}; nor is there such a file or code") from None
    text = common.read_text(source)
    if text.startswith(HEADING):
        return Game.from_text(text)
    board, notes = read_board(text, house.variant)
    for note in notes:
        print(f"fcfast: {source}: {note}", file=sys.stderr)
    return Game(board, house)


@common.checked
def _range(text: str) -> int:
    """A whole number from 1, or all."""
    if text.lower() == "all":
        return deals.LAST_DEAL
    if not (text.isascii() and text.isdigit() and 0 < int(text[:11]) <= deals.LAST_DEAL):
        raise FcfastError(f"{text[:20]!r} is not a number 1..{deals.LAST_DEAL}, nor all")
    return int(text)
