"""The rules, each said once: what a Variant is, the predicates over cards, and check().

Imports cards, errors, moves and runs. Native code knows no rule of its own: tables() evaluates the
predicates here for all cards and sizes, and the search looks the answers up. Autoplay is policy,
not a rule, and lives in autoplay.py.
"""

from __future__ import annotations

import dataclasses
import functools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from fcfast import cards
from fcfast.errors import InvalidMove, InvalidVariant, shown, whole
from fcfast.moves import CELLS, COLUMNS, FOUNDATIONS, HOME
from fcfast.runs import cheapest_transfer

if TYPE_CHECKING:
    from fcfast.board import Board
    from fcfast.moves import Move

MAX_COLUMNS = len(COLUMNS)
MAX_CELLS = len(CELLS)

Build = Literal["alternate", "suit"]
Fill = Literal["any", "kings", "none"]
RunLimit = Literal["standard", "linear", "single", "unlimited"]
TakeBack = Literal["none", "cells", "columns", "anywhere"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "build": get_args(Build),
    "fill": get_args(Fill),
    "run_limit": get_args(RunLimit),
}


@dataclass(frozen=True)
class Variant:
    """A rule set as data.

    columns, cells   how many there are (1..13, 0..10)
    build            what a column takes: a card one rank lower of the other colour, or of its suit
    fill             what an empty column takes: any card, kings only, or none
    run_limit        how many cards move in one go (see run_limit below)
    dealt_to_cells   how many cards, the last of the deck, start in cells
    beak             Penguin's deal: the first card's three equals start on the foundations, which
                     are then built from that rank, around the corner from king to ace

    Raises InvalidVariant for values out of range.
    """

    name: str = "custom"
    columns: int = 8
    cells: int = 4
    build: Build = "alternate"
    fill: Fill = "any"
    run_limit: RunLimit = "standard"
    dealt_to_cells: int = 0
    beak: bool = False

    def __post_init__(self) -> None:
        for field, low, high in (
            ("columns", 1, MAX_COLUMNS),
            ("cells", 0, MAX_CELLS),
            ("dealt_to_cells", 0, MAX_CELLS),
        ):
            value = getattr(self, field)
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise InvalidVariant(
                    f"{field} must be a whole number {low}..{high}, not {shown(value)}"
                )
        for field, choices in _CHOICES.items():
            if getattr(self, field) not in choices:
                raise InvalidVariant(
                    f"{field} must be one of {', '.join(choices)}, not {getattr(self, field)!r}"
                )
        if not isinstance(self.name, str) or not isinstance(self.beak, bool):
            raise InvalidVariant("name must be text and beak true or false")
        if self.dealt_to_cells > self.cells:
            raise InvalidVariant(
                f"{self.dealt_to_cells} cards cannot be dealt to {self.cells} cells"
            )

    def replace(self, **changes: Any) -> Variant:
        """A copy with some fields changed. Raises InvalidVariant, also for unknown fields."""
        _refuse_unknown(changes)
        return dataclasses.replace(self, **changes)

    def to_json(self) -> str:
        """One JSON object with every field; from_json reads it back."""
        import json  # 2 ms of an import that should be quick

        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Variant:
        """Reads a JSON object; missing fields are FreeCell's. Raises InvalidVariant."""
        import json

        try:
            fields = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidVariant(f"not JSON: {error}") from None
        if not isinstance(fields, dict):
            raise InvalidVariant("a variant is a JSON object")
        _refuse_unknown(fields)
        return cls(**fields)


def _refuse_unknown(fields: dict[str, Any]) -> None:
    known = {field.name for field in dataclasses.fields(Variant)}
    for field in fields:
        if field not in known:
            raise InvalidVariant(f"a variant has no {field!r}; it has {', '.join(sorted(known))}")


FREECELL = Variant("freecell")
RELAXED_FREECELL = Variant("relaxed_freecell", run_limit="unlimited")
BAKERS_GAME = Variant("bakers_game", build="suit")
KINGS_ONLY_BAKERS_GAME = Variant("kings_only_bakers_game", build="suit", fill="kings")
EIGHT_OFF = Variant("eight_off", cells=8, build="suit", fill="kings", dealt_to_cells=4)
SEAHAVEN_TOWERS = Variant(
    "seahaven_towers", columns=10, build="suit", fill="kings", dealt_to_cells=2
)
FORECELL = Variant("forecell", fill="kings", dealt_to_cells=4)
FORECELL_SAME_SUIT = Variant("forecell_same_suit", build="suit", fill="kings", dealt_to_cells=4)
PENGUIN = Variant("penguin", columns=7, cells=7, build="suit", fill="kings", beak=True)

PRESETS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        FREECELL,
        RELAXED_FREECELL,
        BAKERS_GAME,
        KINGS_ONLY_BAKERS_GAME,
        EIGHT_OFF,
        SEAHAVEN_TOWERS,
        FORECELL,
        FORECELL_SAME_SUIT,
        PENGUIN,
    )
}


def preset(name: str) -> Variant:
    """The preset of a name; case, spaces, dashes and apostrophes do not matter.

    Raises InvalidVariant, naming all presets.
    """
    plain = str(name).lower().replace("-", "_").replace(" ", "_").replace("'", "")
    if plain not in PRESETS:
        raise InvalidVariant(f"no variant {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[plain]


def as_variant(rules: Variant | str, cells: int | None = None) -> Variant:
    """The Variant that is meant by itself or by a preset's name, with so many cells if given.

    Raises InvalidVariant.
    """
    if isinstance(rules, str):
        rules = preset(rules)
    elif not isinstance(rules, Variant):
        raise InvalidVariant(f"{shown(rules)} is neither a Variant nor the name of one")
    return rules if cells is None else rules.replace(cells=cells)


# The predicates. Ranks count from the rank that plays the part of the ace (Board.base).


def fits(variant: Variant, card: int, onto: int) -> bool:
    """May `card` be put on the card `onto` in a column?"""
    if cards.rank(card) + 1 != cards.rank(onto):
        return False
    if variant.build == "suit":
        return cards.suit(card) == cards.suit(onto)
    return cards.is_red(card) != cards.is_red(onto)


def fills(variant: Variant, card: int) -> bool:
    """May `card` be put into an empty column?"""
    return variant.fill == "any" or (variant.fill == "kings" and cards.rank(card) == 12)


def goes_home(card: int, foundations: Sequence[int]) -> bool:
    """Is `card` the next of its suit? `foundations` holds the cards home per suit (C D H S)."""
    return foundations[cards.suit(card)] == cards.rank(card)


def run_limit(variant: Variant, free_cells: int, empty_columns: int, to_empty: bool = False) -> int:
    """The most cards of a run that move in one go; `empty_columns` counts the target if empty.

    standard: (F + 1) * 2**E, E without the target, where any card may fill a column; F + 1 where
    only kings or none may (single-card moves through the free places, which is all the rules
    allow). linear: F + E + 1. single: 1. unlimited: 13.
    """
    spare = empty_columns - 1 if to_empty else empty_columns
    if variant.run_limit == "single":
        return 1
    if variant.run_limit == "unlimited":
        return 13
    if variant.run_limit == "linear":
        return free_cells + spare + 1
    return (free_cells + 1) << (spare if variant.fill == "any" else 0)


def supermove_limit(free_cells: int, empty_columns: int, to_empty: bool = False) -> int:
    """FreeCell's run limit: (F + 1) * 2**E through F free cells and E empty columns.

    With `to_empty` the run goes to one of the `empty_columns`, which then does not help. Raises
    FcfastError for counts that are none, or `to_empty` without an empty column.
    """
    whole("free_cells", free_cells, 0)
    whole("empty_columns", empty_columns, 1 if to_empty else 0)
    return run_limit(FREECELL, free_cells, empty_columns, to_empty)


def end_run(variant: Variant, column: Sequence[int]) -> int:
    """How many cards at the end of a column, each carrying the next, are a run."""
    length = min(1, len(column))
    while 0 < length < len(column) and fits(variant, column[-length], column[-length - 1]):
        length += 1
    return length


def run_cost(
    variant: Variant,
    count: int,
    free_cells: int,
    spare_columns: int,
    vacates: bool = False,
    into_empty: bool = False,
) -> int:
    """The fewest single-card moves that carry a run of `count` cards, 0 where none do.

    `spare_columns` are the empty ones without the target; runs.cheapest_transfer() explains the
    rest. A run that only house rules move (run_limit linear or unlimited) counts its cards.
    """
    if variant.fill != "any":  # no card of the run but a king at its head could use a column
        spare_columns, vacates, into_empty = 0, False, False
    plan = cheapest_transfer(count, free_cells, spare_columns, vacates, into_empty)
    if plan is None:
        return count if variant.run_limit in ("linear", "unlimited") else 0
    return plan[0]


def check(
    board: Board, move: Move, variant: Variant = FREECELL, take_back: TakeBack = "none"
) -> str | None:
    """None if the rules allow `move` on `board`, else the reason in one sentence.

    `take_back` is a house rule: where the top card of a foundation may come back to. No search
    uses it, and proofs of impossibility assume that no card comes back.

    Raises InvalidMove where `move` is not a source, a target and a count, or names a place that
    this board does not have, or a count that is not a positive whole number.
    """
    if not isinstance(move, tuple) or len(move) != 3:
        raise InvalidMove(f"{move!r} is not a move")
    source, target, count = move
    if take_back == "none" or source not in tuple(FOUNDATIONS):
        board.require_place(source)
    board.require_place(target)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise InvalidMove(f"{count!r} is not a number of cards")
    name = board.name
    if source == HOME:
        return "cards do not come back from the foundations"
    if source == target:
        return "the move goes from a place to itself"

    if source in FOUNDATIONS:
        height = board.foundations[FOUNDATIONS.index(source)]
        if not height:
            return f"no card of suit {source} is home"
        if target not in {"cells": CELLS, "columns": COLUMNS}.get(take_back, CELLS + COLUMNS):
            return f"cards come back from the foundations to {take_back} only"
        if count > 1:
            return "cards come back from the foundations one at a time"
        run: tuple[int, ...] = (cards.card_of(height - 1, FOUNDATIONS.index(source)),)
    elif source in CELLS:
        card = board.cells[CELLS.index(source)]
        if card is None:
            return f"cell {source} is empty"
        if count > 1:
            return f"a cell holds one card, not {count}"
        run = (card,)
    else:
        column = board.columns[COLUMNS.index(source)]
        if not column:
            return f"no card there: column {source} is empty"
        if count > len(column):
            return f"column {source} holds {len(column)} cards, not {count}"
        run = column[-count:]
    head = run[0]

    if target == HOME:
        if count > 1:
            return "cards go home one at a time"
        if not goes_home(head, board.foundations):
            due = cards.card_of(board.foundations[cards.suit(head)], cards.suit(head))
            return f"{name(head)} cannot go home before {name(due)}"
        return None
    if target in CELLS:
        if count > 1:
            return "a cell takes one card at a time"
        occupant = board.cells[CELLS.index(target)]
        if occupant is not None:
            return f"cell {target} is occupied by {name(occupant)}"
        return None

    for onto, card in pairwise(run):
        if not fits(variant, card, onto):
            return f"not a run: {name(card)} does not build on {name(onto)}"
    column = board.columns[COLUMNS.index(target)]
    if column and not fits(variant, head, column[-1]):
        misfit = _misfit(variant, head, column[-1])
        return f"{name(head)} does not go on {name(column[-1])}: {misfit}"
    if not column and not fills(variant, head):
        if variant.fill == "none":
            return f"no card may fill the empty column {target}"
        king = name(cards.card_of(12, cards.suit(head)))[0]
        return f"{name(head)} may not fill the empty column {target}: only a {king} may"
    free, empty = board.free_cells, board.empty_columns
    limit = run_limit(variant, free, empty, to_empty=not column)
    if count > limit:
        return (
            f"{count} cards are too many: with {free} free cell{'s' * (free != 1)} and {empty} "
            f"empty column{'s' * (empty != 1)}{'' if column else ' (one of them the target)'} "
            f"at most {limit} can move"
        )
    return None


def _misfit(variant: Variant, card: int, onto: int) -> str:
    if cards.rank(card) + 1 != cards.rank(onto):
        return "it is not one rank lower"
    return "the suits differ" if variant.build == "suit" else "the colours are the same"


@functools.lru_cache(maxsize=64)
def tables(variant: Variant, columns: int, cells: int) -> bytes:
    """The predicates evaluated for all cards and sizes, as native/rules.pxd reads them.

    In the machine's byte order: 52 uint64 masks (bit o of mask c: c fits on o), one uint64 mask
    of the cards that may fill an empty column, two tables [free cells 0..10][empty columns 0..13]
    of uint8 run limits (onto a card, then into an empty column), four tables [cards 0..13][free
    cells 0..10][spare columns 0..13] of uint8 run costs (from a column that keeps cards: onto a
    card, into an empty column; then from one that does not), the numbers of columns and cells.
    """
    fit_masks = [
        sum(1 << onto for onto in cards.DECK if fits(variant, card, onto)) for card in cards.DECK
    ]
    fill_mask = sum(1 << card for card in cards.DECK if fills(variant, card))
    limits = bytes(
        min(13, run_limit(variant, free, empty, to_empty)) if empty >= to_empty else 0
        for to_empty in (False, True)
        for free in range(MAX_CELLS + 1)
        for empty in range(MAX_COLUMNS + 1)
    )
    # Only the sizes that this board can have: all of them would take 18 ms instead of 8.
    costs = bytes(
        run_cost(variant, count, free, spare, vacates, into_empty)
        if free <= cells and spare < columns
        else 0
        for vacates in (False, True)
        for into_empty in (False, True)
        for count in range(14)
        for free in range(MAX_CELLS + 1)
        for spare in range(MAX_COLUMNS + 1)
    )
    masks = struct.pack("=53Q", *fit_masks, fill_mask)
    return masks + limits + costs + bytes((columns, cells))
