"""Screen: draws a game and says what happened, with what the terminal can show.

Drawing is rich's. A terminal that moves its cursor gets the board redrawn in place; a pipe, a log,
TERM=dumb and NO_COLOR get the same lines one after another without a single escape. In plain mode
everything is said in sentences, for screen readers. Imports board, cards, moves, terminal and, of
play, game, records and words.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from fcfast import cards
from fcfast.board import Board
from fcfast.moves import CELLS, COLUMNS, HOME, Move
from fcfast.play.game import Game, Turn
from fcfast.play.records import Best
from fcfast.play.words import (
    RANKS,
    SUITS,
    card_in_words,
    clock_text,
    move_in_words,
    moving_cards,
)
from fcfast.terminal import LETTERS, can_show

TWO_COLOURS = ("bold", "bold red", "bold red", "bold")
FOUR_COLOURS = ("bold green", "bold bright_blue", "bold red", "bold")  # clubs, diamonds ..
THINKING = 0.5  # seconds of search before a player is told that there is one
WIDEST = 7  # characters from one column to the next


class Screen:
    """Where the game is shown.

    plain         sentences only: no drawing, no colour
    letters       letters for suits even where the stream could show glyphs
    four_colours  a colour for each suit
    """

    def __init__(
        self,
        plain: bool = False,
        letters: bool = False,
        four_colours: bool = False,
        stream: TextIO | None = None,
    ) -> None:
        stream = stream or sys.stdout
        self.plain = plain
        self.glyphs = not (letters or plain) and can_show(cards.GLYPHS + "·", stream)
        self._styles = FOUR_COLOURS if four_colours else TWO_COLOURS
        self._encoding = stream.encoding or "ascii"
        without = plain or bool(os.environ.get("NO_COLOR"))
        self._console = Console(
            file=stream, highlight=False, markup=False, color_system=None if without else "auto"
        )
        self.redraws = (
            self._console.is_terminal and not self._console.is_dumb_terminal and not without
        )

    @property
    def width(self) -> int:
        """Characters in a line. Asked anew each time: windows change, and rich takes every dumb
        terminal for one of 80."""
        return shutil.get_terminal_size().columns

    @property
    def height(self) -> int | None:
        """Lines that are seen at once; None where nothing is lost by scrolling."""
        seen = self._console.is_terminal and not self.plain
        return shutil.get_terminal_size().lines if seen else None

    # Saying

    def say(self, text: str) -> None:
        """Prints text, wrapped at the width; what the stream cannot encode is spelt otherwise."""
        self.print(self.lines(text))

    def lines(self, text: str) -> list[Text]:
        """The lines that say() prints."""
        if not self.glyphs:
            text = text.translate(LETTERS).replace("·", "|")
        text = text.encode(self._encoding, "replace").decode(self._encoding)
        return [
            part
            for line in text.split("\n")
            for part in (self._painted(line).wrap(self._console, self.width) if line else [Text()])
        ]

    def thinking(self) -> Callable[[str, int, int], None]:
        """A progress for a search, as solve() calls it, which says so once if it takes long."""
        due = time.monotonic() + THINKING

        def progress(stage: str, nodes: int, held: int) -> None:
            nonlocal due
            if time.monotonic() > due:
                due = math.inf
                self.say("Thinking; Ctrl-C stops that.")

        return progress

    def card(self, board: Board, card: int) -> str:
        """A card as the screen names it: ``10♥``, ``10H`` or ``ten of hearts``."""
        return self._written(board.name(card))

    def with_cards(self, text: str) -> str:
        """A text with the names of cards in it, ``TH``, as the screen names them, but for what is
        quoted, which is to be typed."""
        parts = text.split("`")
        parts[::2] = [
            re.sub(
                rf"\b[{cards.RANKS}][{cards.SUITS}]\b", lambda name: self._written(name[0]), part
            )
            for part in parts[::2]
        ]
        return "`".join(parts)

    def _written(self, name: str) -> str:
        rank, suit = cards.RANKS.index(name[0]), cards.SUITS.index(name[1])
        if self.plain:
            return f"{RANKS[rank]} of {SUITS[suit]}"
        return name[0].replace("T", "10") + (cards.GLYPHS if self.glyphs else cards.SUITS)[suit]

    def turn(self, before: Board, turn: Turn, face_down: bool = False) -> str:
        """What a turn did, in a sentence; cards that lie face down are not named."""
        board, home, said = before, turn.moves, []
        if len(turn.made) == 1:
            said.append(self.move(board, turn.made[0], face_down))
            board, home = board.moved(turn.made[0]), turn.followed
        names = []
        for move in home:
            names.append(self.card(board, moving_cards(board, move)[0]))
            board = board.moved(move)
        if names:
            said.append(f"{(', ' if self.plain else ' ').join(names)} home")
        sentence = "; by itself ".join(said)
        if self.plain:
            for index, column in enumerate(before.columns):
                if column and not board.columns[index]:
                    sentence += f". Column {index + 1} is empty now"
        return f"{sentence[0].upper()}{sentence[1:]}."

    def move(self, board: Board, move: Move, face_down: bool = False) -> str:
        """What a move does: ``9♠ 8♥ to 5``, or the same in words."""
        if self.plain:
            return move_in_words(board, move, face_down)
        run = [self.card(board, card) for card in moving_cards(board, move)]
        if face_down and len(run) > 1:
            run = [f"{len(run)} cards with {run[-1]}"]
        return f"{' '.join(run)} {'home' if move.target == HOME else f'to {move.target}'}"

    # Drawing

    def clear(self) -> None:
        """Empties a terminal that redraws; does nothing elsewhere."""
        if self.redraws:
            self._console.clear()

    def show(self, game: Game) -> None:
        """Prints the board and the status."""
        self.print(self.drawing(game))

    def drawing(
        self, game: Game, best: Best | None = None, room: int | None = None, whole: bool = False
    ) -> list[Text]:
        """The lines of the board and the status: `room` of them, if that can be, where it is given;
        with `whole` more rather than without some of the cards."""
        if self.plain:
            return self.lines(f"{self.status(game, best)}\n{describe(game)}")
        board, face_down = game.board, game.house.face_down
        status = self.lines(self.status(game, best))
        drawn = self.board_lines(board, face_down)
        if room is not None and len(status) + len(drawn) > room:
            status = self.lines(self.status(game, None))
            least = 52 if whole else 6
            drawn = self.board_lines(board, face_down, max(least, room - len(status)))
        return status + drawn

    def status(self, game: Game, best: Best | None) -> str:
        """Deal, house rules, moves, points, time, best time."""
        parts = [
            f"Deal {game.number}" if game.number is not None else "Own deal",
            str(game.house),
            f"{game.move_count} move{'s' * (game.move_count != 1)}",
        ]
        if game.house.points:
            parts.append(f"{game.points} points")
        if game.undos_left is not None:
            parts.append(f"{game.undos_left} undos left")
        parts.append(clock_text(game.seconds))
        if best is not None:
            parts.append(f"best {clock_text(best.seconds)}, {best.moves} moves")
        return (", " if self.plain else " · ").join(parts)

    def board_lines(
        self, board: Board, face_down: bool = False, room: int | None = None
    ) -> list[Text]:
        """Cells, foundations and columns, as wide as there is room.

        With `room` they are drawn without blank lines and names of cells, and where that is not
        short enough, the deepest cards of columns are left out.
        """
        held = CELLS[: len(board.cells)]
        wide = self.width - 1
        pitch = wide // max(len(held) + 5, len(board.columns))  # cells, a gap and home in one row
        if pitch < 5:
            pitch = wide // max(len(held), len(board.columns))
        pitch = max(3, min(WIDEST, pitch))
        cells = [
            [self._dim(place, pitch) for place in held],
            [self._card(board, card, pitch) for card in board.cells],
        ]
        home = [
            [self._dim("home", 4 * pitch)],
            [
                self._card(board, cards.card_of(height - 1, suit), pitch)
                if height
                else self._dim((cards.GLYPHS if self.glyphs else cards.SUITS)[suit], pitch)
                for suit, height in enumerate(board.foundations)
            ],
        ]
        if room is not None:
            del cells[0], home[0]
        gap = max(pitch, (len(board.columns) - len(held) - 4) * pitch)
        if len(held) * pitch + gap + 4 * pitch < self.width:
            lines = [
                _joined([*left, Text(" " * gap), *right])
                for left, right in zip(cells, home, strict=True)
            ]
        else:
            lines = [_joined(row) for row in (*cells, *home)]
        names = _joined([self._dim(place, pitch) for place in COLUMNS[: len(board.columns)]])
        if room is not None:
            lines.append(names)
            return lines + self._rows(board, face_down, pitch, room - len(lines))
        return [*lines, Text(), names, *self._rows(board, face_down, pitch), Text()]

    def _rows(self, board: Board, face_down: bool, pitch: int, room: int = 52) -> list[Text]:
        """The columns, side by side; of one with more than `room` cards the last ones."""
        empty = "·" if self.glyphs else "--"
        drawn = []
        for column in board.columns:
            places = [
                self._dim("##", pitch)
                if face_down and card != column[-1]
                else self._card(board, card, pitch)
                for card in column
            ]
            if len(places) > room:
                places = [self._dim("..", pitch), *places[len(places) - room + 1 :]]
            drawn.append(places or [self._dim(empty, pitch)])
        blank = Text(" " * pitch)
        return [
            _joined([places[row] if row < len(places) else blank for places in drawn])
            for row in range(max(map(len, drawn)))
        ]

    def _card(self, board: Board, card: int | None, pitch: int) -> Text:
        if card is None:
            return self._dim("·" if self.glyphs else "--", pitch)
        name = self.card(board, card)
        return Text(name.rjust(3).ljust(pitch), style=self._styles[cards.suit(card)])

    def _dim(self, text: str, pitch: int) -> Text:
        return Text(text.rjust(3).ljust(pitch), style="dim")

    def _painted(self, line: str) -> Text:
        """A line of text with the cards in it coloured."""
        text = Text(line)
        ranks = rf"\b(?:10|[{cards.RANKS}])"
        for suit, style in enumerate(self._styles):
            text.highlight_regex(f"{ranks}[{cards.SUITS[suit]}{cards.GLYPHS[suit]}]", style)
        return text

    def print(self, lines: Sequence[Text]) -> None:
        """Prints lines, without blanks at their ends."""
        for line in lines:
            line.rstrip()
            self._console.print(line, width=self.width)


def describe(game: Game) -> str:
    """The whole position in sentences; empty places are said too."""
    board = game.board

    def named(card: int | None) -> str:
        return "empty" if card is None else card_in_words(card, board.base)

    lines = [
        f"Cell {place}: {named(card)}." for place, card in zip(CELLS, board.cells, strict=False)
    ]
    tops = [
        named(cards.card_of(height - 1, suit))
        for suit, height in enumerate(board.foundations)
        if height
    ]
    lines.append(f"Home: {', '.join(tops) or 'nothing yet'}.")
    for index, column in enumerate(board.columns):
        if game.house.face_down and len(column) > 1:
            held = f"{len(column) - 1} face down, then {named(column[-1])}"
        else:
            held = ", ".join(map(named, column)) or "empty"
        lines.append(f"Column {index + 1}: {held}.")
    return "\n".join(lines)


def _joined(parts: list[Text]) -> Text:
    return Text().join(parts)
