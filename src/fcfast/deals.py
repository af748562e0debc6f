"""Numbered deals: number -> Board, layout -> number."""

from __future__ import annotations

from fcfast import cards
from fcfast.board import Board
from fcfast.errors import InvalidDeal
from fcfast.rules import FREECELL, Variant

LAST_DEAL = 2**33 - 1


def shuffled(number: int) -> list[int]:
    """The 52 cards of a Microsoft deal 1 .. 2**33 - 1, in the order they are dealt."""
    seed = number - 2**32 if number >= 2**32 else number
    deck = list(cards.DECK)
    order = []
    for left in range(52, 0, -1):
        seed = (seed * 214013 + 2531011) & 0xFFFFFFFF
        word = seed >> 16
        if number < 2**31:
            word &= 0x7FFF
        elif number < 2**32:
            word |= 0x8000
        else:
            word += 1
        index = word % left
        order.append(deck[index])
        deck[index] = deck[-1]
        deck.pop()
    return order


def deal(number: int, variant: Variant = FREECELL) -> Board:
    """The Board of a numbered Microsoft deal. Raises InvalidDeal."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= LAST_DEAL:
        raise InvalidDeal(f"no deal {number!r}")
    order = shuffled(number)
    columns = tuple(
        tuple(order[start : 52 - variant.dealt_to_cells : variant.columns])
        for start in range(variant.columns)
    )
    filled = tuple(order[52 - variant.dealt_to_cells :])
    return Board(columns, filled + (None,) * (variant.cells - len(filled)))
