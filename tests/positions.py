"""Boards for the tests: random ones, reached by play or put together, and those of the cases."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import strategies as st

from fcfast import cards
from fcfast.board import Board
from fcfast.deals import LAST_DEAL, deal
from fcfast.moves import HOME
from fcfast.rules import FREECELL, MAX_CELLS, MAX_COLUMNS, Variant

CASES = Path(__file__).parent / "data" / "cases"


def case_text(name: str) -> str:
    """A board of the case log, byte for byte: "16" is cases/16.board."""
    return (CASES / f"{name}.board").read_bytes().decode("utf-8")


def random_board(variant: Variant = FREECELL, seed: int = 0, moves: int = 40) -> Board:
    """The position after up to `moves` random legal moves from a random deal.

    Fewer only where the play gets stuck or is won. A card that may go home does so every other
    time, since moves drawn evenly seldom empty a column.
    """
    rng = random.Random(f"{variant.name} {seed} {moves}")
    board = deal(rng.randint(1, LAST_DEAL), variant)
    for _ in range(moves):
        legal = board.legal_moves(variant)
        if not legal:
            break
        home = [move for move in legal if move.target == HOME]
        board = board.moved(rng.choice(home if home and rng.random() < 0.5 else legal))
    return board


def any_board(seed: int) -> Board:
    """52 cards anywhere: any number of columns, cells and cards home, any base."""
    rng = random.Random(seed)
    columns: list[list[int]] = [[] for _ in range(rng.randint(1, MAX_COLUMNS))]
    cells: list[int | None] = [None] * rng.randint(0, MAX_CELLS)
    foundations = [rng.choice((0, 13, rng.randint(0, 13))) for _ in range(4)]
    in_play = [card for card in cards.DECK if cards.rank(card) >= foundations[cards.suit(card)]]
    rng.shuffle(in_play)
    for index in range(len(cells)):
        if in_play and rng.random() < 0.5:
            cells[index] = in_play.pop()
    filled = rng.sample(columns, rng.randint(1, len(columns)))
    for card in in_play:
        rng.choice(filled).append(card)
    return Board(columns, cells, foundations, rng.choice((0, rng.randint(0, 12))))


seeds = st.integers(0, 2**32)
any_boards = seeds.map(any_board)
