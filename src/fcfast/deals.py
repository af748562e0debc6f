"""Numbered deals, after the shuffle of Microsoft FreeCell: number -> Board, layout -> numbers.

Imports board, cards, cores, errors and rules; the native engine only where deals are many.
"""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import SupportsIndex

from fcfast import cards
from fcfast.board import Board
from fcfast.cores import threads
from fcfast.errors import InvalidBoard, InvalidDeal, shown
from fcfast.rules import FREECELL, Variant, as_variant

LAST_DEAL = 2**33 - 1
_NUMBER = re.compile(r"\s*(?:ms)?(-?[0-9]+)\s*", re.IGNORECASE)
ALLOWED = f"deals are whole numbers 1..{LAST_DEAL}, -1 and -2"

# The two joke games of Windows FreeCell: the ranks of columns 1-4 and of columns 5-8, deepest
# first. Each column is of one suit, in the order of _JOKE_SUITS. No shuffle deals them.
_JOKE_RANKS = {-1: ("A3579JK", "QT8642"), -2: ("AKQJT98", "765432")}
_JOKE_SUITS = {-1: "CDHS", -2: "SHDC"}

# find_deal's search: per span of numbers how many high halves a state has, and how many of them
# are one task, 3 to 30 ms long. See native/dealing.pxd.
_HALVES = (2**15, 2**15, 2**16)
_TASK = 2**10


def deal(number: SupportsIndex | str, variant: Variant | str = FREECELL) -> Board:
    """The Board of a deal: 1 .. 2**33 - 1, or the joke games -1 and -2.

    `number` is an int, a value that stands for one (numpy's integers), or text: ``617``,
    ``ms617``. Raises InvalidDeal for everything else; nothing wraps or is rounded.
    """
    variant = as_variant(variant)
    number = parse_number(number) if isinstance(number, str) else checked(number)
    return _joke_game(number, variant) if number < 0 else laid_out(shuffled(number), variant)


def is_number(text: str) -> bool:
    """Is `text` meant as a deal's number, in range or not?"""
    return _NUMBER.fullmatch(text) is not None


def parse_number(text: str) -> int:
    """The number in ``617`` or ``ms617`` (any case). Raises InvalidDeal."""
    found = _NUMBER.fullmatch(text)
    if found is None or len(found[1]) > 20:  # Python takes long to read a million digits
        raise InvalidDeal(f"no deal {shown(text)}: {ALLOWED}")
    return checked(int(found[1]))


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


def checked(number: SupportsIndex) -> int:
    # numpy's booleans count as integers up to numpy 2.2, the last one for Python 3.10.
    if isinstance(number, bool) or getattr(getattr(number, "dtype", None), "kind", None) == "b":
        raise InvalidDeal(f"no deal {number}: {ALLOWED}")
    try:
        value = operator.index(number)
    except TypeError:
        raise InvalidDeal(f"no deal {shown(number)}: {ALLOWED}") from None
    if not (1 <= value <= LAST_DEAL or value in _JOKE_RANKS):
        # Python refuses to print numbers of more than 4,300 digits.
        name = value if value.bit_length() <= 128 else f"of {value.bit_length()} bits"
        raise InvalidDeal(f"no deal {name}: {ALLOWED}")
    return value


def laid_out(order: Sequence[int], variant: Variant) -> Board:
    """The Board of 52 different cards in the order they are dealt."""
    if variant.beak:
        return _penguin(order, variant)
    return _in_columns(order, variant)


def _in_columns(
    order: Sequence[int],
    variant: Variant,
    foundations: tuple[int, ...] = (0, 0, 0, 0),
    base: int = 0,
) -> Board:
    """Column by column in turn; the last cards of the deck go to the cells."""
    in_columns = len(order) - variant.dealt_to_cells
    columns = (
        tuple(order[start : in_columns : variant.columns]) for start in range(variant.columns)
    )
    empty = (None,) * (variant.cells - variant.dealt_to_cells)
    return Board.trusted(tuple(columns), (*order[in_columns:], *empty), foundations, base)


def _penguin(order: Sequence[int], variant: Variant) -> Board:
    """The first card is the beak. Its three equals go home as they turn up, out of turn."""
    beak = order[0]
    base = cards.rank(beak)
    in_play = [card for card in order if card == beak or cards.rank(card) != base]
    counted = [cards.card_of((cards.rank(card) - base) % 13, cards.suit(card)) for card in in_play]
    foundations = tuple(int(suit != cards.suit(beak)) for suit in range(4))
    return _in_columns(counted, variant, foundations, base)


def _deals_joke_games(variant: Variant) -> bool:
    return variant.columns == 8 and not variant.dealt_to_cells and not variant.beak


def _joke_game(number: int, variant: Variant) -> Board:
    if not _deals_joke_games(variant):
        raise InvalidDeal(
            f"deal {number} is a layout of eight columns; {variant.name} deals otherwise"
        )
    columns = [
        [cards.card_of(cards.RANKS.index(rank), cards.SUITS.index(suit)) for rank in ranks]
        for ranks in _JOKE_RANKS[number]
        for suit in _JOKE_SUITS[number]
    ]
    return Board(columns, [None] * variant.cells)


def deal_packed(numbers: range) -> bytes:
    """52 bytes a deal, the cards in the order they are dealt: shuffled() in bulk, natively.

    Raises InvalidDeal where a number is not in 1 .. 2**33 - 1.
    """
    from fcfast.native import engine

    for number in (numbers[0], numbers[-1]) if numbers else ():
        if checked(number) < 0:
            raise InvalidDeal(f"deal {number} is not a shuffle: only 1..{LAST_DEAL} are")
    return engine.deal_packed(numbers.start, numbers.step, len(numbers))


def find_deal(
    board: Board,
    permuted: bool = False,
    progress: Callable[[float], object] | None = None,
    workers: int | None = None,
) -> list[int]:
    """Every number in 1 .. 2**33 - 1, and of -1 and -2, that deals `board`; none is usual.

    `board` is a board as dealt, in the layout of any variant. With `permuted`, columns of equal
    length may have changed places, and cells too. `progress` is called now and then with the part
    done, 0 .. 1. The search runs on `workers` threads, one a processor if None.

    Raises InvalidBoard for what is not a Board, FcfastError for `workers` that are no number.
    """
    if not isinstance(board, Board):
        raise InvalidBoard(f"{shown(board)} is not a Board")
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from fcfast.native import engine

    held = [card for card in board.cells if card is not None]
    empty = [None] * board.free_cells
    board = Board(board.columns, [*held, *empty], board.foundations, board.base)
    variant = Variant(
        columns=len(board.columns),
        cells=len(board.cells),
        dealt_to_cells=len(held),
        beak=any(board.foundations),
    )
    wanted = _wanted(board, held, permuted)
    if wanted is None:
        return []
    candidates = list(_JOKE_RANKS) if _deals_joke_games(variant) else []
    pool = ThreadPoolExecutor(threads(workers))
    try:
        tasks = [
            pool.submit(engine.find_wanted, wanted, span, first, first + _TASK)
            for span, halves in enumerate(_HALVES)
            for first in range(0, halves, _TASK)
        ]
        for done, task in enumerate(as_completed(tasks), 1):
            candidates += task.result()
            if progress is not None:
                progress(done / len(tasks))
    finally:
        pool.shutdown(cancel_futures=True)
    return [
        number
        for number in sorted(candidates)
        if number != 0 and _same(deal(number, variant), board, permuted)
    ]


def _wanted(board: Board, held: list[int], permuted: bool) -> bytes | None:
    """Per card dealt the set of those it may be, a uint64 each; None if no deal looks like that.

    Penguin's deal leaves out three cards, nobody sees where: each card dealt after the first may
    be one of them, or of those that zero to three left out put in its place.
    """
    if max(board.foundations) > 1 or sum(board.foundations) not in (0, 3):
        return None
    width, left_out = len(board.columns), sum(board.foundations)
    in_columns = 52 - left_out - len(held)
    heights = [len(range(start, in_columns, width)) for start in range(width)]
    if [len(column) for column in board.columns] != heights:
        return None

    def bits(found: Iterable[int]) -> int:
        """The cards as a set, counted from the ace."""
        return sum(
            1 << cards.card_of((cards.rank(card) + board.base) % 13, cards.suit(card))
            for card in found
        )

    sets = []
    for place in range(in_columns):
        row, index = divmod(place, width)
        alike = [column for column in board.columns if len(column) == heights[index]]
        sets.append(bits(column[row] for column in (alike if permuted else [board.columns[index]])))
    sets += [bits(held if permuted else [card]) for card in held]
    home = bits(cards.card_of(0, suit) for suit in range(4) if board.foundations[suit])
    per_card = [sets[0]]
    for dealt in range(1, 52):
        per_card.append(home)
        for possible in sets[max(0, dealt - left_out) : dealt + 1]:
            per_card[dealt] |= possible
    return struct.pack("=52Q", *per_card)


def _same(dealt: Board, board: Board, permuted: bool) -> bool:
    return dealt == board or (permuted and dealt.key() == board.key())
