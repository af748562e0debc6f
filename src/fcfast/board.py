"""Board: an immutable position. Imports cards, errors, moves, rules; boardtext is its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fcfast import cards, rules
from fcfast.errors import IllegalMove, InvalidBoard, InvalidMove, shown
from fcfast.moves import CELLS, COLUMNS, FOUNDATIONS, HOME, Move
from fcfast.rules import FREECELL, MAX_CELLS, MAX_COLUMNS, Variant

Style = Literal["fc-solve", "rows", "json", "unicode"]


@dataclass(frozen=True, init=False)
class Board:
    """A position of 52 cards: columns, cells and foundations. Immutable and hashable.

    columns      per column its cards, deepest first
    cells        per cell its card, or None
    foundations  per suit (C D H S) how many of its cards are home
    base         the rank (0 ace .. 12 king) that plays the part of the ace; 0 but in Penguin.
                 Cards are counted from it: with base 6 card 0 is the seven of clubs.

    Two boards are equal when all four are equal; key() also ignores the order of columns and
    cells. Raises InvalidBoard listing every fault.
    """

    __slots__ = ("columns", "cells", "foundations", "base")  # noqa: RUF023 (in _fill's order)

    columns: tuple[tuple[int, ...], ...]
    cells: tuple[int | None, ...]
    foundations: tuple[int, int, int, int]
    base: int

    def __init__(
        self,
        columns: Iterable[Iterable[int]],
        cells: Iterable[int | None] = (None,) * 4,
        foundations: Iterable[int] = (0, 0, 0, 0),
        base: int = 0,
    ) -> None:
        try:
            in_columns = tuple(tuple(column) for column in columns)
            values = in_columns, tuple(cells), tuple(foundations), base
        except TypeError:
            raise InvalidBoard("columns, cells and foundations are not lists of cards") from None
        faults = find_faults(*values)
        if faults:
            raise InvalidBoard(faults)
        self._fill(*values)

    @classmethod
    def trusted(cls, *values: object) -> Board:
        """Of tuples without faults, which dealing and moving make: looking takes 20 us."""
        return Board.__new__(Board)._fill(*values)

    def _fill(self, *values: object) -> Board:
        for field, value in zip(Board.__slots__, values, strict=True):
            object.__setattr__(self, field, value)
        return self

    def __reduce__(self) -> tuple[type[Board], tuple[object, ...]]:
        return Board, (self.columns, self.cells, self.foundations, self.base)

    def __str__(self) -> str:
        return self.to_text()

    def name(self, card: int) -> str:
        """The card's name on this board, such as ``TH``."""
        return cards.name(card, self.base)

    @property
    def free_cells(self) -> int:
        """How many cells are empty."""
        return self.cells.count(None)

    @property
    def empty_columns(self) -> int:
        """How many columns are empty."""
        return self.columns.count(())

    @property
    def is_won(self) -> bool:
        """Are all 52 cards home?"""
        return sum(self.foundations) == 52

    def key(self) -> bytes:
        """Equal for boards that differ only in the order of columns or cells.

        For boards of one number of columns and cells, keys are equal for those boards only.
        """
        columns = sorted(bytes(column) + b"\xff" for column in self.columns if column)
        cells = sorted(card for card in self.cells if card is not None)
        return bytes((self.base, *self.foundations, *cells, 0xFF)) + b"".join(columns)

    def pack(self) -> bytes:
        """The position as native/state.pxd reads it: the numbers of columns and cells, the four
        foundations, a byte a cell (255 empty), then per column its height and its cards."""
        packed = bytearray((len(self.columns), len(self.cells), *self.foundations))
        packed += bytes(255 if card is None else card for card in self.cells)
        for column in self.columns:
            packed.append(len(column))
            packed += bytes(column)
        return bytes(packed)

    def with_cells(self, count: int) -> Board:
        """The same board with `count` cells. Raises InvalidBoard if the cards do not fit."""
        if count == len(self.cells):
            return self
        if count not in range(MAX_CELLS + 1):
            raise InvalidBoard(f"{shown(count)} cells: a board has 0 to {MAX_CELLS}")
        count = int(count)
        occupied = [card for card in self.cells if card is not None]
        if len(occupied) > count:
            raise InvalidBoard(f"{len(occupied)} cards do not fit into {count} cells")
        kept = self.cells if count > len(self.cells) else tuple(occupied)
        return Board(
            self.columns, kept + (None,) * (count - len(kept)), self.foundations, self.base
        )

    # Moves

    def require_place(self, place: str) -> None:
        """Raises InvalidMove unless this board has a place of that name."""
        if isinstance(place, str) and len(place) == 1:
            if place == HOME:
                return
            if place in CELLS:
                if CELLS.index(place) < len(self.cells):
                    return
                raise InvalidMove(f"no cell {place}: this board has {len(self.cells)}")
            if place in COLUMNS:
                if COLUMNS.index(place) < len(self.columns):
                    return
                raise InvalidMove(f"no column {place}: this board has {len(self.columns)}")
        raise InvalidMove(f"{place!r} is not a place")

    def legal_moves(self, variant: Variant | str = FREECELL) -> list[Move]:
        """Every legal move that changes the position, targets that are alike listed once.

        Among empty cells only the first is a target, among empty columns too, and moves that only
        reorder (cell to cell, a whole column to an empty one) are left out.
        """
        variant = rules.as_variant(variant)
        free, empty = self.free_cells, self.empty_columns
        onto_card = rules.run_limit(variant, free, empty)
        into_empty = rules.run_limit(variant, free, empty, to_empty=True) if empty else 0
        targets = [
            (COLUMNS[index], column)
            for index, column in enumerate(self.columns)
            if column or index == self.columns.index(())
        ]
        sources = []  # a place, the run at its end, and whether that is a whole column
        for index, column in enumerate(self.columns):
            if column:
                run = column[-rules.end_run(variant, column) :]
                sources.append((COLUMNS[index], run, len(run) == len(column)))
        for index, card in enumerate(self.cells):
            if card is not None:
                sources.append((CELLS[index], (card,), False))

        found = []
        for source, run, whole in sources:
            for target, onto in targets:
                longest = min(onto_card, len(run)) if onto else min(into_empty, len(run) - whole)
                for count in range(1, longest + 1):
                    head = run[-count]
                    if rules.fits(variant, head, onto[-1]) if onto else rules.fills(variant, head):
                        found.append(Move(source, target, count))
            if source in COLUMNS and free:
                found.append(Move(source, CELLS[self.cells.index(None)]))
            if rules.goes_home(run[-1], self.foundations):
                found.append(Move(source, HOME))
        return found

    def apply(self, move: Move, variant: Variant | str = FREECELL) -> Board:
        """The board after `move`. Raises InvalidMove (no such place) or IllegalMove (and why)."""
        reason = rules.check(self, move, rules.as_variant(variant))
        if reason is not None:
            raise IllegalMove(f"{move.source}{move.target}: {reason}")
        return self.moved(move)

    def moved(self, move: Move) -> Board:
        """The board after a move that is already known to be legal; checks nothing."""
        columns, cells = list(self.columns), list(self.cells)
        foundations = list(self.foundations)
        if move.source in CELLS:
            index = CELLS.index(move.source)
            card = cells[index]
            run: tuple[int, ...] = () if card is None else (card,)
            cells[index] = None
        elif move.source in FOUNDATIONS:
            index = FOUNDATIONS.index(move.source)
            foundations[index] -= 1
            run = (cards.card_of(foundations[index], index),)
        else:
            index = COLUMNS.index(move.source)
            run = columns[index][-move.count :]
            columns[index] = columns[index][: -move.count]
        if move.target == HOME:
            foundations[cards.suit(run[0])] += 1
        elif move.target in CELLS:
            cells[CELLS.index(move.target)] = run[0]
        else:
            columns[COLUMNS.index(move.target)] += run
        return Board.trusted(tuple(columns), tuple(cells), tuple(foundations), self.base)

    # Text

    def to_text(self, style: Style = "fc-solve") -> str:
        """The board as text; every style but "unicode" is plain ASCII, and all parse back.

        Raises FcfastError for a style that is not one of "fc-solve", "rows", "json", "unicode".
        """
        from fcfast.boardtext import write_board

        return write_board(self, style)

    @classmethod
    def parse(
        cls,
        text: str,
        variant: Variant | str = FREECELL,
        cells: int | None = None,
        columns: int | None = None,
    ) -> Board:
        """Reads every layout of text that is in use; see boardtext.read_board.

        `cells` and `columns` are the numbers of both where they are not the variant's. Raises
        InvalidBoard with every fault: its line, the card and what is wrong.
        """
        from fcfast.boardtext import read_board

        board, _ = read_board(text, rules.as_variant(variant), cells, columns)
        return board

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows: a drawing, and the text where there can be none."""
        from fcfast.svg import board_svg

        return {"image/svg+xml": board_svg(self), "text/plain": str(self)}


def find_faults(
    columns: Sequence[Sequence[int]],
    cells: Sequence[int | None],
    foundations: Sequence[int],
    base: int = 0,
    places: Mapping[int, str] | None = None,
) -> list[str]:
    """Everything wrong with a position, a sentence each; an empty list if it is sound.

    `places` says of each card where it was seen, such as "line 3", for those sentences.
    """
    faults = []
    if not 1 <= len(columns) <= MAX_COLUMNS:
        faults.append(f"{len(columns)} columns: a board has 1 to {MAX_COLUMNS}")
    if len(cells) > MAX_CELLS:
        faults.append(f"{len(cells)} cells: a board has 0 to {MAX_CELLS}")
    if not _is_below(13, base):
        return [*faults, f"base {base!r} is not a rank 0..12"]
    if len(foundations) != 4 or not all(_is_below(14, height) for height in foundations):
        return [*faults, f"foundations {tuple(foundations)!r} are not four numbers 0..13"]

    in_play = [card for column in columns for card in column]
    in_play += [card for card in cells if card is not None]
    strange = [card for card in in_play if not _is_below(52, card)]
    if strange:
        return [*faults, f"not cards: {', '.join(map(repr, strange))}"]
    home = {cards.card_of(rank, suit) for suit in range(4) for rank in range(foundations[suit])}
    times = Counter(in_play)
    missing = [card for card in cards.DECK if card not in times and card not in home]

    def listed(wrong: list[int]) -> str:
        where = places or {}
        return " ".join(
            cards.name(card, base) + (f" ({where[card]})" if card in where else "")
            for card in sorted(wrong)
        )

    doubled = [card for card in times if times[card] > 1]
    if doubled:
        faults.append(f"twice or more: {listed(doubled)}")
    also_home = [card for card in times if card in home]
    if also_home:
        faults.append(f"in play but also home: {listed(also_home)}")
    if missing:
        faults.append(f"{52 - len(missing)} of 52 cards; missing: {listed(missing)}")
    return faults


def _is_below(limit: int, value: object) -> bool:
    return type(value) is int and 0 <= value < limit
