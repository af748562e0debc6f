"""Runs spelled out card by card: legal, complete, and with the fewest single moves."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import case_text, random_board, seeds

from fcfast import cards
from fcfast.board import Board
from fcfast.errors import IllegalMove, InvalidMove
from fcfast.moves import CELLS, COLUMNS, Move, singles
from fcfast.rules import FORECELL, FREECELL, PRESETS, RELAXED_FREECELL
from fcfast.runs import cheapest_transfer


@pytest.mark.parametrize(
    ("cells", "columns", "onto_empty", "costs"),
    [
        (2, 1, False, [1, 3, 5, 7, 11, 15]),
        (3, 1, False, [1, 3, 5, 7, 9, 13, 17, 21]),
        (0, 2, False, [1, 3, 5, 9]),
        (1, 2, False, [1, 3, 5, 7, 11, 15, 19, 27]),
        (1, 1, True, [1, 3, 5, 9]),
    ],
)
def test_known_costs(cells, columns, onto_empty, costs):
    longest = len(costs)
    assert [
        (cheapest_transfer(count, cells, columns, onto_empty=onto_empty) or [None])[0]
        for count in range(1, longest + 2)
    ] == [*costs, None]


def breadth_first_cost(
    count: int, cells: int, columns: int, vacates: bool, onto_empty: bool
) -> int | None:
    """The least number of single moves for a run of cards count-1 .. 0, by trying everything.

    A card goes on the next higher one, into a cell, or into any column that is empty. The first
    pile is the source, which any card may use once it is empty if it `vacates`; the last is the
    target, which at first takes only the deepest card unless it is `onto_empty`.
    """
    run = tuple(range(count - 1, -1, -1))
    first = (run, frozenset(), ((),) * columns, ())
    seen, front = {first}, [first]
    for moves in itertools.count(1):
        following = []
        for source, held, spare, target in front:
            piles = [source, *spare, target]
            free = [(index, pile[-1]) for index, pile in enumerate(piles) if pile]
            for origin, card in [*free, *((None, card) for card in held)]:
                lifted = list(piles)
                if origin is not None:
                    lifted[origin] = lifted[origin][:-1]
                rest = held - {card}
                ends = []
                if origin is not None and len(held) < cells:
                    ends.append((lifted, rest | {card}))
                for index, pile in enumerate(lifted):
                    takes = pile[-1] == card + 1 if pile else True
                    if not pile and index == 0:
                        takes = vacates
                    if not pile and index == len(lifted) - 1:
                        takes = onto_empty or card == count - 1
                    if takes and index != origin:
                        put = list(lifted)
                        put[index] += (card,)
                        ends.append((put, rest))
                for put, kept in ends:
                    if put[-1] == run:
                        return moves
                    state = (put[0], frozenset(kept), tuple(sorted(put[1:-1])), put[-1])
                    if state not in seen:
                        seen.add(state)
                        following.append(state)
        if not following:
            return None
        front = following
    return None


@pytest.mark.parametrize("onto_empty", [False, True])
@pytest.mark.parametrize("vacates", [False, True])
@pytest.mark.parametrize(
    ("cells", "columns", "most"),
    [(0, 0, 3), (3, 0, 6), (0, 1, 4), (1, 1, 6), (2, 1, 8), (0, 2, 6), (1, 2, 8), (0, 3, 9)],
)
def test_nothing_is_cheaper(cells, columns, most, vacates, onto_empty):
    """Up to one card more than the run limit, which must be impossible.

    A whole column that goes to an empty one has more ways still, past the limit of every rule but
    "unlimited"; that changes nothing on the table, so they are not looked for.
    """
    limit = (cells + 1) << columns
    if vacates and onto_empty:
        most = min(most, limit)
    for count in range(1, most + 1):
        plan = cheapest_transfer(count, cells, columns, vacates, onto_empty)
        searched = breadth_first_cost(count, cells, columns, vacates, onto_empty)
        assert (plan and plan[0]) == searched, count
        assert (searched is None) == (count > limit)


def test_an_emptied_column_saves_moves():
    """Eight cards, one cell, two columns: 27 moves, but 25 if the run leaves a column empty."""
    assert cheapest_transfer(8, 1, 2) == (27, 4)
    assert cheapest_transfer(8, 1, 2, vacates=True)[0] == 25
    assert cheapest_transfer(8, 1, 2, onto_empty=True)[0] == 25


def staged(count, cells, columns, under, onto_empty) -> tuple[Board, Move]:
    """A board and its move of a run from column 1, where it lies on `under` cards, to column 2.

    The run starts with the queen of spades; column 2 is empty or the king of hearts. Of four cells
    `cells` are free; besides these two columns `columns` are empty.
    """
    king, *run = (cards.card_of(rank, 3 if rank % 2 else 2) for rank in range(12, 11 - count, -1))
    others = [card for card in cards.DECK if card not in run and card != king]
    random.Random(count).shuffle(others)
    held = [others.pop() for _ in range(4 - cells)]
    below = [others.pop() for _ in range(under)]
    target, loose = ([], [*others, king]) if onto_empty else ([king], others)
    empty = [[] for _ in range(columns)]
    board = Board([below + run, target, *empty, loose], [*held, *[None] * cells])
    return board, Move("1", "2", count)


def one_by_one(board: Board, moves, variant=FREECELL) -> Board:
    for move in moves:
        assert move.count == 1
        board = board.apply(move, variant)
    return board


@pytest.mark.parametrize("onto_empty", [False, True])
@pytest.mark.parametrize("under", [0, 1])
@pytest.mark.parametrize(("cells", "columns"), [(0, 0), (4, 0), (1, 1), (2, 1), (1, 2), (0, 3)])
def test_singles_do_what_the_run_does(cells, columns, under, onto_empty):
    limit = min(12, (cells + 1) << columns)
    for count in range(1, limit + 1):
        board, move = staged(count, cells, columns, under, onto_empty)
        spelled = singles(board, move)
        assert one_by_one(board, spelled) == board.apply(move)
        cost, _ = cheapest_transfer(count, cells, columns, under == 0, onto_empty)
        assert len(spelled) == cost


@given(st.sampled_from(sorted(PRESETS)), seeds, st.integers(0, 120))
def test_every_run_on_random_boards(name, seed, moves):
    variant = PRESETS[name]
    board = random_board(variant, seed, moves)
    for move in board.legal_moves(variant):
        try:
            spelled = singles(board, move, variant)
        except IllegalMove:
            assert variant is RELAXED_FREECELL
            continue
        assert one_by_one(board, spelled, variant) == board.moved(move)
        if move.count <= board.free_cells + 1:
            assert len(spelled) == 2 * move.count - 1


def test_case_40_no_cells_and_two_empty_columns():
    board = Board.parse(case_text("40"))
    moves = singles(board, Move("1", "2", 4))
    assert len(moves) == 9
    assert all(move.source in COLUMNS and move.target in COLUMNS for move in moves)
    with pytest.raises(IllegalMove, match="at most 2 can move"):
        singles(board, Move("1", "7", 4))
    assert [str(move) for move in singles(board, Move("1", "7", 2))] == ["18", "17", "87"]


def test_where_only_kings_fill_a_column_runs_go_through_cells():
    board, move = staged(4, 1, 2, 1, onto_empty=False)
    assert len(singles(board, move)) == 7
    with pytest.raises(IllegalMove, match="at most 2 can move"):
        singles(board, move, FORECELL)
    board, move = staged(2, 1, 2, 1, onto_empty=False)
    moves = singles(board, move, FORECELL)
    assert [move.target in CELLS for move in moves] == [True, False, False]


def test_moves_that_are_not_legal_or_not_possible():
    board, move = staged(5, 1, 0, 1, onto_empty=False)
    with pytest.raises(IllegalMove, match="12: 5 cards are too many"):
        singles(board, move)
    with pytest.raises(IllegalMove, match="cannot be moved one at a time"):
        singles(board, move, RELAXED_FREECELL)
    with pytest.raises(IllegalMove, match="cell d is empty"):
        singles(board, Move("d", "1"))
    with pytest.raises(InvalidMove, match="no column 9"):
        singles(board, Move("1", "9", 2))


def test_the_text_of_a_move():
    assert str(Move("5", "2", 3)) == "52"
    assert Move("5", "a") == ("5", "a", 1)
