"""A card is an int 0..51: four times its rank (ace 0 .. king 12) plus its suit (C D H S).

This is the deck order of the numbered Microsoft deals. Imports nothing of fcfast.
"""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
GLYPHS = "♣♦♥♠"
DECK = range(52)


def rank(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king)."""
    return card >> 2


def suit(card: int) -> int:
    """Suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def is_red(card: int) -> bool:
    """True for diamonds and hearts."""
    return suit(card) in (1, 2)


def twin(card: int) -> int:
    """The other card of a card's rank and colour."""
    return card ^ 3


def card_of(rank: int, suit: int) -> int:
    """The card of a rank 0..12 and a suit 0..3."""
    return 4 * rank + suit


def name(card: int, base: int = 0) -> str:
    """Two characters, rank then suit, such as ``TH``.

    `base` is the rank whose cards play the part of the aces (Penguin): with base 6 the card with
    rank 0 is a seven.
    """
    return RANKS[(rank(card) + base) % 13] + SUITS[suit(card)]
