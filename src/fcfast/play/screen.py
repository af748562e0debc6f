"""Screen: draws a game and says what happened, with what the terminal can show.

Drawing is rich's. A terminal that moves its cursor gets the board redrawn in place; a pipe, a log,
TERM=dumb and NO_COLOR get the same lines one after another without a single escape. In plain mode
everything is said in sentences, for screen readers. Imports board, cards, moves, terminal and, of
play, game, records and words.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

from rich.console import Console
from rich.text import Text

from fcfast import cards
from fcfast.board import Board
from fcfast.moves import CELLS, COLUMNS, HOME, Move
from fcfast.play.game import Game, Turn
from fcfast.play.records import Best
from fcfast.play.words import card_in_words, clock_text, move_in_words, moving_cards
from fcfast.terminal import LETTERS, can_show

TWO_COLOURS = ("bold", "bold red", "bold red", "bold")
FOUR_COLOURS = ("bold green", "bold bright_blue", "bold red", "bold")  # clubs, diamonds ..
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

    # Saying

    def say(self, text: str) -> None:
        """Prints text, wrapped at the width; what the stream cannot encode is spelt otherwise."""
        if not self.glyphs:
            text = text.translate(LETTERS).replace("·", "|")
        text = text.encode(self._encoding, "replace").decode(self._encoding)
        for line in text.split("\n"):
            for part in self._painted(line).wrap(self._console, self.width) if line else [Text()]:
                self._print(part)

    def card(self, board: Board, card: int) -> str:
        """A card as the screen names it: ``7♥``, ``7H`` or ``seven of hearts``."""
        if self.plain:
            return card_in_words(card, board.base)
        name = board.name(card)
        return name[0] + cards.GLYPHS[cards.suit(card)] if self.glyphs else name

    def turn(self, before: Board, turn: Turn) -> str:
        """What a turn did, in a sentence."""
        board, home, said = before, turn.moves, []
        if len(turn.made) == 1:
            said.append(self.move(board, turn.made[0]))
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

    def move(self, board: Board, move: Move) -> str:
        """What a move does: ``9♠ 8♥ to 5``, or the same in words."""
        if self.plain:
            return move_in_words(board, move)
        run = [self.card(board, card) for card in moving_cards(board, move)]
        return f"{' '.join(run)} {'home' if move.target == HOME else f'to {move.target}'}"

    # Drawing

    def clear(self) -> None:
        """Empties a terminal that redraws; does nothing elsewhere."""
        if self.redraws:
            self._console.clear()

    def show(self, game: Game, best: Best | None = None) -> None:
        """The board and the status."""
        if self.plain:
            self.say(f"{self.status(game, best)}\n{describe(game)}")
            return
        self.say(self.status(game, best))
        for line in self.board_lines(game.board, game.house.face_down):
            self._print(line)

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

    def board_lines(self, board: Board, face_down: bool = False) -> list[Text]:
        """Cells, foundations and columns, as wide as there is room."""
        held = CELLS[: len(board.cells)]
        room = self.width - 1
        pitch = room // max(len(held) + 5, len(board.columns))  # cells, a gap and home in one row
        if pitch < 5:
            pitch = room // max(len(held), len(board.columns))
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
        wide = len(board.columns) * pitch
        gap = max(pitch, wide - (len(held) + 4) * pitch)
        together = len(held) * pitch + gap + 4 * pitch
        if together < self.width:
            lines = [
                _joined([*left, Text(" " * gap), *right])
                for left, right in zip(cells, home, strict=True)
            ]
        else:
            lines = [_joined(row) for row in (*cells, *home)]
        lines += [
            Text(),
            _joined([self._dim(place, pitch) for place in COLUMNS[: len(board.columns)]]),
        ]
        deepest = max(1, *map(len, board.columns))
        for row in range(deepest):
            line = []
            for column in board.columns:
                if row < len(column):
                    hidden = face_down and row < len(column) - 1
                    line.append(
                        self._dim("##", pitch) if hidden else self._card(board, column[row], pitch)
                    )
                elif row == 0:
                    line.append(self._dim("·" if self.glyphs else "--", pitch))
                else:
                    line.append(Text(" " * pitch))
            lines.append(_joined(line))
        lines.append(Text())
        return lines

    def _card(self, board: Board, card: int | None, pitch: int) -> Text:
        if card is None:
            return self._dim("·" if self.glyphs else "--", pitch)
        name = self.card(board, card)
        if pitch > 3:
            name = name.replace("T", "10")
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

    def _print(self, text: Text) -> None:
        text.rstrip()
        self._console.print(text, width=self.width)


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
