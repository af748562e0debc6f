"""The judge: replays a solution one card at a time on plain lists.

Shares only the card predicates fits, fills and goes_home with the rest of fcfast, so that a
mistake in the run limits, in Board's moves or in the native core cannot hide itself. Imports
board, cards, deals, errors, moves (the names of places) and rules; never native code.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from fcfast import cards
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import BadSolution
from fcfast.moves import CELLS, COLUMNS, HOME, Move
from fcfast.rules import FREECELL, Variant, as_variant, fills, fits, goes_home


def verify(
    board: Board | int | str, moves: Iterable[Move], variant: Variant | str = FREECELL
) -> None:
    """Returns if `moves`, home moves included, win `board` (or deal number, or text) exactly.

    Raises BadSolution with the number of the first wrong move and the rule it breaks, also for
    moves after the win and for cards left at the end; InvalidBoard or InvalidDeal for the board.
    """
    variant = as_variant(variant)
    if isinstance(board, str):
        board = Board.parse(board, variant)
    elif not isinstance(board, Board):
        board = deal(board, variant)
    table = _Table(board, variant)
    count = 0
    for index, move in enumerate(moves):
        count = index + 1
        try:
            if sum(table.home) == 52:
                raise _Broken("the game is won already")
            table.play(move)
        except _Broken as broken:
            name = move if isinstance(move, Move) else repr(move)
            raise BadSolution(f"move {count} ({name}): {broken}", index) from None
    left = 52 - sum(table.home)
    if left:
        raise BadSolution(f"not won: {left} cards are not home after {count} moves")


class _Broken(Exception):
    """The rule that a move breaks."""


class _Table:
    """Cards on a table. Every single card that moves is checked by the hand that moves it."""

    def __init__(self, board: Board, variant: Variant) -> None:
        self.variant = variant
        self.name = board.name
        self.home = list(board.foundations)
        # A cell is a column of at most one card that asks no questions.
        self.piles = {
            place: list(column) for place, column in zip(COLUMNS, board.columns, strict=False)
        }
        self.cells = {
            place: [] if card is None else [card]
            for place, card in zip(CELLS, board.cells, strict=False)
        }

    def play(self, move: Move) -> None:
        """Carries out a move of any number of cards. Raises _Broken."""
        source, target, count = self.understood(move)
        if source == target:
            raise _Broken("from a place to itself")
        if count == 1:
            self.single(source, target)
        else:
            self.require_run(source, target, count)
            self.carry_as_allowed(source, target, count)

    def understood(self, move: object) -> tuple[str, str, int]:
        """The three parts of a well-formed move between places that exist."""
        if not isinstance(move, tuple) or len(move) != 3:
            raise _Broken("not a move: source, target and count are needed")
        source, target, count = move
        for place in (source, target):
            known = isinstance(place, str) and (
                place in self.piles or place in self.cells or place == HOME
            )
            if not known:
                raise _Broken(f"no such place: {place!r}")
        if source == HOME:
            raise _Broken("cards do not come back from home")
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise _Broken(f"not a number of cards: {count!r}")
        return source, target, count

    def single(self, source: str, target: str) -> None:
        """Moves one card if the rules let it."""
        pile = self.piles[source] if source in self.piles else self.cells[source]
        if not pile:
            raise _Broken(f"no card there: {source} is empty")
        card = pile[-1]
        if target == HOME:
            if not goes_home(card, self.home):
                raise _Broken(f"wrong rank for home: {self.name(card)} is not the next of its suit")
            self.home[cards.suit(card)] += 1
        elif target in self.cells:
            if self.cells[target]:
                raise _Broken(f"cell {target} is occupied by {self.name(self.cells[target][0])}")
            self.cells[target].append(card)
        else:
            self.require_fit(card, target)
            self.piles[target].append(card)
        pile.pop()

    def require_fit(self, card: int, target: str) -> None:
        """Raises _Broken unless the column takes the card."""
        pile = self.piles[target]
        if not pile:
            if not fills(self.variant, card):
                raise _Broken(f"{self.name(card)} may not fill an empty column")
        elif not fits(self.variant, card, pile[-1]):
            fault = "suit" if self.variant.build == "suit" else "colour"
            if cards.rank(card) + 1 != cards.rank(pile[-1]):
                fault = "rank"
            raise _Broken(f"wrong {fault}: {self.name(card)} on {self.name(pile[-1])}")

    def require_run(self, source: str, target: str, count: int) -> None:
        """Raises _Broken unless `count` cards form a run that the target takes."""
        if source not in self.piles or target not in self.piles:
            raise _Broken("only one card at a time goes to or from a cell, or home")
        pile = self.piles[source]
        if len(pile) < count:
            raise _Broken(f"not enough cards: {len(pile)} in column {source}, not {count}")
        run = pile[-count:]
        for below, above in pairwise(run):
            if not fits(self.variant, above, below):
                raise _Broken(f"not a run: {self.name(above)} lies on {self.name(below)}")
        self.require_fit(run[0], target)

    def carry_as_allowed(self, source: str, target: str, count: int) -> None:
        """Moves a run: card by card, or in one piece where house rules say so."""
        rule = self.variant.run_limit
        free, empty = len(self.free_cells()), len(self.empty_columns(target))
        room = f"{count} cards through {free} free cells and {empty} empty columns"
        if rule == "single":
            raise _Broken(f"only single cards move, not {count}")
        if rule == "standard":
            try:
                self.carry(source, target, count)
            except _Broken:
                raise _Broken(f"no room: {room}") from None
        elif rule == "linear" and count > free + empty + 1:
            raise _Broken(f"no room: {room}")
        else:
            pile = self.piles[source]
            self.piles[target] += pile[-count:]
            del pile[-count:]

    def carry(self, source: str, target: str, count: int) -> None:
        """Moves a run card by card: through cells, else by halves through an empty column.

        No way carries more: whatever is parked in a column must itself have got there with one
        column less, and so must the rest to the target. Raises _Broken where it cannot be done.
        """
        free = self.free_cells()[: count - 1]
        if len(free) == count - 1:
            for cell in free:
                self.single(source, cell)
            self.single(source, target)
            for cell in reversed(free):
                self.single(cell, target)
            return
        half = count // 2
        parks = self.empty_columns(target)
        if not parks:
            raise _Broken("no room")
        self.carry(source, parks[0], half)
        self.carry(source, target, count - half)
        self.carry(parks[0], target, half)

    def free_cells(self) -> list[str]:
        """The cells without a card."""
        return [place for place, pile in self.cells.items() if not pile]

    def empty_columns(self, target: str) -> list[str]:
        """The columns without a card, `target` left out."""
        return [place for place, pile in self.piles.items() if not pile and place != target]
