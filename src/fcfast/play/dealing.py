"""Commands that deal: new games, games under other rules, boards from elsewhere.

Each takes the loop and the words after the command, and returns what to say. Imports board, errors
and, of play, choosing, files, game, houserules and saves.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from fcfast.board import Board
from fcfast.errors import FcfastError
from fcfast.play import houserules
from fcfast.play.choosing import daily_number, random_game
from fcfast.play.files import path_of, read_file, write_new
from fcfast.play.game import Game
from fcfast.play.houserules import HouseRules
from fcfast.play.saves import HEADING

if TYPE_CHECKING:
    from fcfast.play.loop import Loop


def new(loop: Loop, words: list[str]) -> str:
    if words:
        return number(loop, words)
    return loop.deal(random_game(loop.house, loop.random_from))


def number(loop: Loop, words: list[str]) -> str:
    if not words:
        code = loop.game.code
        named = "no number" if loop.game.number is None else f"number {loop.game.number}"
        return f"This deal has {named}{f' and code {code}' if code else ''}."
    return loop.deal(Game(words[0], loop.house))


def daily(loop: Loop, _: list[str]) -> str:
    return loop.deal(Game(daily_number(), loop.house))


def custom(loop: Loop, _: list[str]) -> str:
    loop.screen.say("Type the columns, one a line, deepest card first; a full stop ends it.")
    lines: list[str] = []
    while not lines or lines[-1].strip() != ".":
        lines.append(loop.read(""))
    if not any(line.strip() for line in lines[:-1]):
        raise FcfastError("Nothing was typed; this game goes on.")
    return _own_deal(loop, "\n".join(lines[:-1]))


def import_board(loop: Loop, words: list[str]) -> str:
    if not words:
        return custom(loop, words)
    path = path_of(words)
    text = read_file(path)
    if text.startswith(HEADING):
        raise FcfastError(f"this is a saved game: `load {path}`")
    return _own_deal(loop, text)


def _own_deal(loop: Loop, text: str) -> str:
    board = Board.parse(text, loop.house.variant)
    return loop.deal(Game(board, loop.house))


def export(loop: Loop, words: list[str]) -> str:
    text = loop.game.board.to_text().rstrip("\n")
    if words:
        path = path_of(words)
        write_new(path, f"{text}\n")
        return f"The board is written to {path}."
    if loop.game.house.face_down:
        raise FcfastError("That would turn all cards up: export FILE writes the board to a file.")
    return text


def rules(loop: Loop, words: list[str]) -> str:
    old = loop.game.house
    if not words:
        return _say_rules(old)
    house = HouseRules.parse(" ".join(words), old)
    if house == old:
        loop.house = house
        return f"This game's house rules are {house} already."
    source = loop.game.number if loop.game.number is not None else loop.game.start
    said = f"House rules: {house}."
    typed = " ".join(words).lower().replace("-", "_")
    dropped = [
        f"{option}={value}"
        for option, value in old.differences()
        if house.text(option) != value and f"{option}=" not in typed
    ]
    if dropped:
        left = " ".join(dropped)
        said += f" Without {left}, as it was: `rules {' '.join(words)} {left}` keeps that."
    said = loop.deal(Game(source, house), said)
    loop.house = house
    return said


def _say_rules(house: HouseRules) -> str:
    values = " ".join(f"{option}={house.text(option)}" for option in houserules.OPTIONS)
    return "\n".join(
        [
            f"House rules: {house}",
            *textwrap.wrap(values, 78, initial_indent="  ", subsequent_indent="  "),
            "",
            "`rules NAME` plays this deal under others, `rules strict cells=2` with options:",
            *(f"  {name}: {text}" for name, text in houserules.SUMMARIES.items()),
            "",
            "`help options` explains every option, `help cells` one of them.",
        ]
    )
