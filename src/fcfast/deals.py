"""Numbered deals: number -> Board, after the shuffle of Microsoft FreeCell.

Imports board, cards, errors and rules.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import SupportsIndex

from fcfast import cards
from fcfast.board import Board
from fcfast.errors import InvalidDeal
from fcfast.rules import FREECELL, Variant

LAST_DEAL = 2**33 - 1
ALLOWED = f"deals are whole numbers 1..{LAST_DEAL}, -1 and -2"

# The two joke games of Windows FreeCell: the ranks of columns 1-4 and of columns 5-8, deepest
# first. Each column is of one suit, in the order of _JOKE_SUITS. No shuffle deals them.
_JOKE_RANKS = {-1: ("A3579JK", "QT8642"), -2: ("AKQJT98", "765432")}
_JOKE_SUITS = {-1: "CDHS", -2: "SHDC"}


def deal(number: SupportsIndex | str, variant: Variant = FREECELL) -> Board:
    """The Board of a deal: 1 .. 2**33 - 1, or the joke games -1 and -2.

    `number` is an int, a value that stands for one (numpy's integers), or text: ``617``,
    ``ms617``. Raises InvalidDeal for everything else; nothing wraps or is rounded.
    """
    number = parse_number(number) if isinstance(number, str) else _checked(number)
    if number < 0:
        return _joke_game(number, variant)
    order = shuffled(number)
    return _penguin(order, variant) if variant.beak else _laid_out(order, variant)


def parse_number(text: str) -> int:
    """The number in ``617`` or ``ms617`` (any case). Raises InvalidDeal."""
    found = re.fullmatch(r"\s*(?:ms)?(-?[0-9]{1,20})\s*", text, re.IGNORECASE)
    if found is None:
        raise InvalidDeal(f"no deal {_shortened(text)}: {ALLOWED}")
    return _checked(int(found[1]))


def shuffled(number: int) -> list[int]:
    """The 52 cards of a deal 1 .. 2**33 - 1, in the order they are dealt."""
    state = number - 2**32 if number >= 2**32 else number
    deck = list(cards.DECK)
    order = []
    for left in range(52, 0, -1):
        state = (state * 214013 + 2531011) & 0xFFFFFFFF
        word = state >> 16
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


def _checked(number: SupportsIndex) -> int:
    if isinstance(number, bool):
        raise InvalidDeal(f"no deal {number}: {ALLOWED}")
    try:
        value = operator.index(number)
    except TypeError:
        raise InvalidDeal(f"no deal {_shortened(number)}: {ALLOWED}") from None
    if not (1 <= value <= LAST_DEAL or value in _JOKE_RANKS):
        # Python refuses to print numbers of more than 4,300 digits.
        shown = value if value.bit_length() <= 128 else f"of {value.bit_length()} bits"
        raise InvalidDeal(f"no deal {shown}: {ALLOWED}")
    return value


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _laid_out(
    order: list[int],
    variant: Variant,
    foundations: Iterable[int] = (0, 0, 0, 0),
    base: int = 0,
) -> Board:
    """Column by column in turn; the last cards of the deck go to the cells."""
    in_columns = len(order) - variant.dealt_to_cells
    columns = [order[start : in_columns : variant.columns] for start in range(variant.columns)]
    empty = [None] * (variant.cells - variant.dealt_to_cells)
    return Board(columns, [*order[in_columns:], *empty], foundations, base)


def _penguin(order: list[int], variant: Variant) -> Board:
    """The first card is the beak. Its three equals go home as they turn up, out of turn."""
    beak = order[0]
    base = cards.rank(beak)
    in_play = [card for card in order if card == beak or cards.rank(card) != base]
    counted = [cards.card_of((cards.rank(card) - base) % 13, cards.suit(card)) for card in in_play]
    foundations = [int(suit != cards.suit(beak)) for suit in range(4)]
    return _laid_out(counted, variant, foundations, base)


def _joke_game(number: int, variant: Variant) -> Board:
    if variant.columns != 8 or variant.dealt_to_cells or variant.beak:
        raise InvalidDeal(
            f"deal {number} is a layout of eight columns; {variant.name} deals otherwise"
        )
    columns = [
        [cards.card_of(cards.RANKS.index(rank), cards.SUITS.index(suit)) for rank in ranks]
        for ranks in _JOKE_RANKS[number]
        for suit in _JOKE_SUITS[number]
    ]
    return Board(columns, [None] * variant.cells)
