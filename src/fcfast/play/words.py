"""Cards, places, moves and times in words, for sentences and screen readers.

Imports cards and moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcfast import cards
from fcfast.moves import CELLS, COLUMNS, FOUNDATIONS, HOME, Move

if TYPE_CHECKING:
    from fcfast.board import Board

RANKS = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
SUITS = ("clubs", "diamonds", "hearts", "spades")


def card_in_words(card: int, base: int = 0) -> str:
    """``ten of hearts``."""
    return f"{RANKS[(cards.rank(card) + base) % 13]} of {SUITS[cards.suit(card)]}"


def place_in_words(place: str) -> str:
    """``column 3``, ``cell a``, ``home``."""
    if place in CELLS:
        return f"cell {place}"
    if place in COLUMNS:
        return f"column {COLUMNS.index(place) + 1}"
    return "home"


def moving_cards(board: Board, move: Move) -> tuple[int, ...]:
    """The cards that a legal move takes, deepest first."""
    if move.source in FOUNDATIONS:
        suit = FOUNDATIONS.index(move.source)
        return (cards.card_of(board.foundations[suit] - 1, suit),)
    if move.source in CELLS:
        held = board.cells[CELLS.index(move.source)]
        return () if held is None else (held,)
    return board.columns[COLUMNS.index(move.source)][-move.count :]


def move_in_words(board: Board, move: Move, face_down: bool = False) -> str:
    """``seven of hearts from column 4 to cell a``; a run is named by its ends, with all but the
    last card `face_down` by that."""
    run = moving_cards(board, move)
    named = card_in_words(run[0], board.base)
    if len(run) > 1 and face_down:
        named = f"{len(run)} cards with the {card_in_words(run[-1], board.base)}"
    elif len(run) > 1:
        named += f" to {card_in_words(run[-1], board.base)}, {len(run)} cards,"
    target = "home" if move.target == HOME else f"to {place_in_words(move.target)}"
    return f"{named} from {place_in_words(move.source)} {target}"


def clock_text(seconds: float) -> str:
    """``1:05``, ``1:00:09``."""
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
