"""Autoplay: which cards go home by themselves.

A policy is not a rule: it says which of the legal home moves are made at once, after every move and
on the deal. What a card may do is in rules.py. Imports errors, moves, rules and, for types, board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from fcfast import cards, rules
from fcfast.errors import FcfastError
from fcfast.moves import CELLS, COLUMNS, HOME, Move
from fcfast.rules import FREECELL, Variant

if TYPE_CHECKING:
    from fcfast.board import Board

Policy = Literal["off", "horne", "safe", "all"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


def goes_by_itself(
    policy: Policy, card: int, foundations: Sequence[int], variant: Variant = FREECELL
) -> bool:
    """Does the policy take home `card`, which lies free at the end of a column or in a cell?

    off    never
    horne  aces and twos, and a card when both suits of the other colour are home up to one rank
           below it, so that nothing could still be put on it (Microsoft FreeCell's rule)
    safe   horne, or the other colour home up to two ranks below and the other suit of its own
           colour up to three: what could be put on it could itself go home instead
    all    whatever goes

    "safe" never makes a winnable board unwinnable. Where columns are built down by suit it takes
    whatever goes: only the next lower card of its own suit could ever be put on a card, and that
    one is home already, so a card that can go home has no other use. Dropping its later moves
    from a winning list leaves the rest legal: it only lays bare cards and places.

    Raises FcfastError for a policy that does not exist.
    """
    if policy not in POLICIES:
        raise FcfastError(f"no autoplay policy {policy!r}; there are {', '.join(POLICIES)}")
    if policy == "off" or not rules.goes_home(card, foundations):
        return False
    if policy == "all" or (policy == "safe" and variant.build == "suit"):
        return True
    rank = cards.rank(card)
    clubs, diamonds, hearts, spades = foundations
    others = min(clubs, spades) if cards.is_red(card) else min(diamonds, hearts)
    if rank <= 1 or others >= rank:
        return True
    twin = foundations[3 - cards.suit(card)]  # clubs and spades, diamonds and hearts
    return policy == "safe" and others >= rank - 1 and twin >= rank - 2


def play_home(
    board: Board, policy: Policy, variant: Variant = FREECELL
) -> tuple[Board, tuple[Move, ...]]:
    """The board when the policy has nothing left to take home, and the moves that led there.

    Places are looked through from the first column to the last cell, again and again, one card
    each time. The end does not depend on that order: a card home never keeps another from going.
    """
    made: list[Move] = []
    found = True
    while found:
        found = False
        for place, card in free_cards(board):
            if goes_by_itself(policy, card, board.foundations, variant):
                made.append(Move(place, HOME))
                board = board.moved(made[-1])
                found = True
    return board, tuple(made)


def free_cards(board: Board) -> list[tuple[str, int]]:
    """The cards that can move, with their places: the ends of columns, then the cells."""
    ends = [
        (place, column[-1]) for place, column in zip(COLUMNS, board.columns, strict=False) if column
    ]
    held = [
        (place, card) for place, card in zip(CELLS, board.cells, strict=False) if card is not None
    ]
    return ends + held
