"""What can be typed: the table of commands, and help, which is made from it.

A word that is no command is a move (``4a``) or a card (``7h``, ``10s``). Imports errors and, of
play, advising, dealing, houserules, keeping and moving.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from fcfast.errors import FcfastError
from fcfast.play import advising, dealing, keeping, moving
from fcfast.play.houserules import OPTIONS

if TYPE_CHECKING:
    from fcfast.play.loop import Loop


class Command(NamedTuple):
    """A command: its names, how it is used, what it does, and what else is worth knowing."""

    names: str
    usage: str
    summary: str
    run: Callable[[Loop, list[str]], str]
    more: str = ""


def _show_board(loop: Loop, _: list[str]) -> str:
    loop.show_all()
    return ""


def _help(_: Loop, words: list[str]) -> str:
    return help_text(words[0] if words else "")


_PLACES = "Columns are 1 to 9, then 0 x y z; cells are a to g, then i j k; h is home."
GROUPS: dict[str, tuple[Command, ...]] = {
    "advice": (
        Command(
            "hint h",
            "hint",
            "a move that leads to a win",
            advising.hint,
            "It thinks for ten seconds at most; Ctrl-C stops it. Whoever follows the hints wins. "
            "A game that is won with hints counts as won with help.",
        ),
        Command(
            "win? win w",
            "win?",
            "can this position still be won?",
            advising.is_winnable,
            "Yes, with the moves, which count as a hint; no, proved; or not known within a second.",
        ),
        Command(
            "solve",
            "solve",
            "a way to win; redo and undo step through it",
            advising.solve,
            "A game that is won so counts as won with help.",
        ),
        Command(
            "moves m",
            "moves [4]",
            "the legal moves, or those from a place",
            advising.moves,
            _PLACES,
        ),
        Command("why", "why 52", "why that move is refused", advising.why),
        Command(
            "guard",
            "guard on|off",
            "warn when a move loses a won game",
            advising.guard,
            "It thinks for a second after each move at most. A warning counts as a hint, and ends "
            "the line of moves.",
        ),
    ),
    "turns": (
        Command("undo u", "undo [N]", "take back a move, or N", moving.undo),
        Command("redo r", "redo [N]", "make it again", moving.redo),
        Command(
            "restart",
            "restart",
            "this deal from its start",
            moving.restart,
            "Clock and counts begin again too; redo brings back all as it was.",
        ),
        Command("auto finish", "auto", "send home all that can go", moving.auto),
        Command(
            "card send",
            "card 7h",
            "send a card to its best place",
            moving.card,
            "The same as 7h alone, where that is no move. Home is best, then a card to lie on, a "
            "cell, an empty column. What lies on the card goes along.",
        ),
        Command(
            "back",
            "back 7h 5",
            "bring a card back from home",
            moving.back,
            "Some house rules allow it: linear to a cell, app to a column. h5 is short for it, "
            "where one card only fits.",
        ),
        Command(
            "giveup give resign",
            "giveup",
            "end the game as lost",
            moving.give_up,
            "It is recorded at once. undo plays on, but the records stay.",
        ),
        Command("cheat", "cheat", "win or lose at once, under the rules of windows", moving.cheat),
    ),
    "deals": (
        Command("new n", "new", "a random deal", dealing.new),
        Command(
            "number code",
            "number 617",
            "that deal, or that code; alone: which this is",
            dealing.number,
            "Codes are like FC1-C4-AAAAAKH: the cells, which hold for that deal only, and the "
            "number in letters.",
        ),
        Command("daily", "daily", "the deal of the day, the same for all", dealing.daily),
        Command(
            "custom",
            "custom",
            "type in a deal of your own",
            dealing.custom,
            "A column a line, deepest card first, such as `7D AD 5C 3S 5S 8C 2D`; a line with a "
            "full stop ends it.",
        ),
        Command(
            "import",
            "import FILE",
            "play a position from a text file",
            dealing.import_board,
            "It reads what export writes, and most layouts that are in use.",
        ),
        Command(
            "export",
            "export [FILE]",
            "this position as text",
            dealing.export,
            "fcfast solve FILE solves it, import plays it.",
        ),
        Command(
            "rules",
            "rules [NAME]",
            "the house rules, or this deal under others",
            dealing.rules,
            "`rules linear`, `rules cells=2`, `rules strict cells=2 face_down=on`. `help options` "
            "lists the options.",
        ),
    ),
    "keeping": (
        Command(
            "save",
            "save [FILE]",
            "keep this game for later",
            keeping.save,
            "A game that was saved is not lost by leaving it: what was played since is kept too. "
            "Any number of games can be kept. With FILE it is a text file.",
        ),
        Command("kept", "kept", "the games that are kept", keeping.kept),
        Command("resume", "resume [N]", "go on with the game kept last, or N", keeping.resume),
        Command("load", "load FILE", "go on with a game saved in a file", keeping.load),
        Command("stats", "stats", "games, wins, streaks and bests", keeping.stats),
        Command(
            "quit q exit",
            "quit",
            "leave; the game can be kept",
            keeping.quit_,
            "So does the end of input (Ctrl-D), which keeps the game.",
        ),
    ),
    "showing": (
        Command("board b", "board", "show the board again, all of it", _show_board),
        Command("help ?", "help [WORD]", "this, or more of a word", _help),
    ),
}
BY_NAME = {
    name: command
    for commands in GROUPS.values()
    for command in commands
    for name in command.names.split()
}
_MOVES = """\
Moves: from, to. Columns are 1 2 3 .., cells a b c .., and h is home.
  4a    column 4 to cell a              a5     cell a to column 5
  5h    column 5 home                   52     from 5 to 2, as many as fit
  52 3  three cards from 5 to 2         4a 26  several moves on one line
  10s   a card goes to its best place   7h     the same, if that is no move"""
_RECORDS = """\
Every game that is won, given up or left for another is recorded, once. One
that is kept is not lost, and quitting, the end of input and a closed window
keep the game that is being played. Where nothing was played nothing is lost.
After hint, win?, solve or a warning of the guard a win counts as helped, and
so does one by cheat. stats shows the records and says where they lie.
`fcfast play --records FILE` puts them elsewhere, --no-records nowhere;
`fcfast stats --json` prints them."""


def help_text(word: str = "") -> str:
    """Help in general, or on a group of commands, a command, `options`, an option, `records`."""
    word = word.lower()
    if not word:
        lines = [_MOVES, "", "Commands, and what is short for them:"]
        lines += [f"  {group:<9}{_listed(commands)}" for group, commands in GROUPS.items()]
        return "\n".join(
            [*lines, "", "`help advice` or `help undo` says more; so do `help records`, "
             "`help options`.", "Ctrl-C stops thinking, Ctrl-D leaves."]
        )  # fmt: skip
    option = word.replace("-", "_")
    said = []
    if word in BY_NAME:
        command = BY_NAME[word]
        said += [_line(command), textwrap.fill(command.more, 79)]
    if option in OPTIONS:
        said += [
            f"An option of `rules` and of `fcfast play --{option.replace('_', '-')}`:",
            _about_option(option),
            _PLACES if option in ("columns", "cells") else "",
        ]
    said += map(_line, GROUPS.get(word, ()))
    said += {"records": [_RECORDS], "options": map(_about_option, OPTIONS)}.get(word, [])
    if not said:
        raise FcfastError(f"There is no help on {word[:20]!r}; help lists the commands.")
    return "\n".join(filter(None, said))


def like(word: str) -> str:
    """The command that a word resembles, "" if none."""
    return next(iter(difflib.get_close_matches(word.lower(), BY_NAME, 1, 0.7)), "")


def _listed(commands: tuple[Command, ...]) -> str:
    return ", ".join(f"{command.names.split()[0]}{_short(command)}" for command in commands)


def _short(command: Command) -> str:
    short = [name for name in command.names.split() if len(name) == 1]
    return f" ({short[0]})" if short else ""


def _line(command: Command) -> str:
    return f"  {command.usage + _short(command):<17} {command.summary}"


def _about_option(name: str) -> str:
    option = OPTIONS[name]
    return textwrap.fill(
        f"  {name}={option.values}: {option.summary}", 79, subsequent_indent="    "
    )
