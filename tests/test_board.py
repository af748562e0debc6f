"""Board: faults, immutability, equality and keys, legal moves and what they do."""

import copy
import multiprocessing
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import any_boards, case_text, random_board, seeds

from fcfast import cards, rules
from fcfast.board import Board, find_faults
from fcfast.deals import deal
from fcfast.errors import FcfastError, IllegalMove, InvalidBoard, InvalidMove
from fcfast.moves import CELLS, COLUMNS, HOME, Move
from fcfast.rules import BAKERS_GAME, FREECELL, PENGUIN, PRESETS, Variant

DEAL_1 = deal(1)
SUITS_IN_COLUMNS = [range(suit, 52, 4) for suit in range(4)]  # a board of four sorted columns

variants = pytest.mark.parametrize("variant", PRESETS.values(), ids=PRESETS)


def everything(board: Board) -> list[int]:
    """All cards of a board: columns, cells and home."""
    home = (
        cards.card_of(rank, suit)
        for suit, height in enumerate(board.foundations)
        for rank in range(height)
    )
    held = (card for card in board.cells if card is not None)
    return sorted([*(card for column in board.columns for card in column), *held, *home])


def shuffled(board: Board, seed: int) -> Board:
    """The same position with columns and cells in another order."""
    rng = random.Random(seed)
    columns = rng.sample(board.columns, len(board.columns))
    cells = rng.sample(board.cells, len(board.cells))
    return Board(columns, cells, board.foundations, board.base)


# Faults


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({}, []),
        ({"columns": []}, ["0 columns: a board has 1 to 13", "0 of 52 cards; missing: AC"]),
        ({"columns": [*SUITS_IN_COLUMNS, *[()] * 10]}, ["14 columns: a board has 1 to 13"]),
        ({"cells": [None] * 11}, ["11 cells: a board has 0 to 10"]),
        ({"cells": [0, 51]}, ["twice or more: AC KS"]),
        ({"foundations": [2, 0, 0, 1]}, ["in play but also home: AC AS 2C"]),
        ({"columns": SUITS_IN_COLUMNS[1:]}, ["39 of 52 cards; missing: AC 2C 3C"]),
        (
            {"columns": SUITS_IN_COLUMNS[1:], "cells": [1], "foundations": [0, 0, 1, 0]},
            ["twice or more: AD", "in play but also home: AH", "39 of 52 cards; missing: AC"],
        ),
        ({"columns": SUITS_IN_COLUMNS[1:], "base": 6}, ["39 of 52 cards; missing: 7C 8C 9C"]),
        ({"cells": [52, -1, 3.0, "AC", True]}, ["not cards: 52, -1, 3.0, 'AC', True"]),
        ({"foundations": [0, 0, 0]}, ["foundations (0, 0, 0) are not four numbers 0..13"]),
        ({"foundations": [0, 0, 0, 14]}, ["foundations (0, 0, 0, 14) are not four numbers"]),
        ({"foundations": [0, 0, 0, 1.0]}, ["foundations (0, 0, 0, 1.0) are not four numbers"]),
        ({"base": 13}, ["base 13 is not a rank 0..12"]),
        ({"base": "7"}, ["base '7' is not a rank 0..12"]),
    ],
)
def test_faults_are_all_reported(changes, faults):
    fields = {"columns": SUITS_IN_COLUMNS, "cells": [None], "foundations": [0] * 4, **changes}
    found = find_faults(**fields)
    assert len(found) == len(faults)
    for fault, expected in zip(found, faults, strict=True):
        assert fault.startswith(expected)
    if faults:
        with pytest.raises(InvalidBoard) as caught:
            Board(**fields)
        assert caught.value.faults == tuple(found)
        assert isinstance(caught.value, FcfastError)
        assert pickle.loads(pickle.dumps(caught.value)).faults == tuple(found)
    else:
        Board(**fields)


def test_faults_name_every_card_and_where_it_was_seen():
    found = find_faults([range(51), [0]], [1], [0] * 4, places={0: "here", 1: "there"})
    assert found == ["twice or more: AC (here) AD (there)", "51 of 52 cards; missing: KS"]


# Case 95: equality, hash, copy, pickle


@given(any_boards)
def test_copies_are_equal(board):
    copies = [copy.copy(board), copy.deepcopy(board)]
    copies += [
        pickle.loads(pickle.dumps(board, protocol))
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ]
    copies.append(eval(repr(board), {"Board": Board}))
    for twin in copies:
        assert twin == board
        assert hash(twin) == hash(board)
        assert twin.key() == board.key()
        assert twin.pack() == board.pack()
    assert len({board, *copies}) == 1


def test_every_field_counts_in_equality():
    board = Board.parse(case_text("75"))
    others = [
        Board(board.columns[::-1], board.cells, board.foundations),
        Board(board.columns, board.cells[::-1], board.foundations),
        Board(board.columns, board.cells, board.foundations, base=1),
        Board([*board.columns, ()], board.cells, board.foundations),
        board.with_cells(5),
        board.apply(Move("8", "b")),
    ]
    assert len({board, *others}) == 7
    assert all(other != board for other in others)
    assert board != str(board)


def test_a_board_cannot_be_changed():
    board = deal(1)
    for field in ("columns", "cells", "foundations", "base", "other"):
        with pytest.raises(AttributeError):
            setattr(board, field, ())
        with pytest.raises(AttributeError):
            delattr(board, field)
    assert board == DEAL_1
    lists = [list(column) for column in board.columns]
    built = Board(lists)
    lists[0].pop()
    assert built == board


def test_a_board_survives_a_fresh_process():
    """Hash and equality hold where nothing is shared, as in workers that are spawned."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        moved, key = pool.apply(_elsewhere, (DEAL_1,))
    assert moved == DEAL_1.apply(Move("1", "a"))
    assert moved in {DEAL_1.apply(Move("1", "a"))}
    assert key == DEAL_1.key()


def _elsewhere(board: Board) -> tuple[Board, bytes]:
    return board.apply(Move("1", "a")), board.key()


# Keys


@given(any_boards, seeds)
def test_keys_ignore_the_order_of_columns_and_cells(board, seed):
    assert shuffled(board, seed).key() == board.key()


@settings(deadline=None)
@given(seeds, st.sampled_from([FREECELL, BAKERS_GAME, PENGUIN]))
def test_keys_are_equal_for_the_same_position_only(seed, variant):
    """Every board of a random game, and all its neighbours: equal keys, equal up to order."""
    boards = {}
    for moves in range(0, 30, 3):
        board = random_board(variant, seed, moves)
        for near in [board, *map(board.moved, board.legal_moves(variant))]:
            canonical = (
                sorted(near.columns),
                sorted(near.cells, key=lambda card: -1 if card is None else card),
                near.foundations,
                near.base,
            )
            assert boards.setdefault(near.key(), canonical) == canonical


def test_keys_tell_a_card_in_a_cell_from_one_in_a_column():
    rest = [card for card in cards.DECK if card not in (0, 1)]
    keys = {
        Board(columns, cells).key()
        for columns, cells in (
            ([[0, 1], rest], [None, None]),
            ([[1, 0], rest], [None, None]),
            ([[0], [1, *rest]], [None, None]),
            ([[0], rest], [1, None]),
            ([[1], rest], [0, None]),
            ([[], rest], [1, 0]),
        )
    }
    assert len(keys) == 6


def test_packed_form():
    board = Board.parse(case_text("75"))
    packed = board.pack()
    assert packed[:6] == bytes((8, 4, 1, 1, 6, 7))
    assert packed[6:10] == bytes((9, 255, 255, 34))
    assert packed[10] == 6
    assert len(packed) == 10 + 8 + sum(map(len, board.columns))


# Cells


def test_with_cells():
    board = Board.parse(case_text("75"))
    assert [len(board.with_cells(count).cells) for count in (2, 4, 10)] == [2, 4, 10]
    assert board.with_cells(4) is board
    assert board.with_cells(5).cells == (*board.cells, None)
    assert board.with_cells(3).cells == (9, 34, None)
    for count in (1, 0, -1, 11, 10**12):
        with pytest.raises(InvalidBoard):
            board.with_cells(count)


def test_counts():
    board = Board.parse(case_text("75"))
    assert (board.free_cells, board.empty_columns, board.is_won) == (2, 1, False)
    assert Board([()] * 8, foundations=[13] * 4).is_won


# Moves


def accepted(board: Board, variant: Variant) -> set[Move]:
    """Every move that rules.check accepts, tried one by one."""
    places = [*COLUMNS[: len(board.columns)], *CELLS[: len(board.cells)], HOME]
    return {
        move
        for source in places
        for target in places
        for count in range(1, 14)
        if rules.check(board, move := Move(source, target, count), variant) is None
    }


def only_reorders(board: Board, move: Move) -> bool:
    return board.moved(move).key() == board.key()


def is_canonical(board: Board, move: Move) -> bool:
    """Is the target the first of those that are alike?"""
    if move.target in CELLS:
        return board.cells.index(None) == CELLS.index(move.target)
    if move.target in COLUMNS and not board.columns[COLUMNS.index(move.target)]:
        return board.columns.index(()) == COLUMNS.index(move.target)
    return True


def assert_legal_moves_are_the_rules(board: Board, variant: Variant) -> None:
    legal = board.legal_moves(variant)
    assert len(legal) == len(set(legal))
    assert set(legal) == {
        move
        for move in accepted(board, variant)
        if is_canonical(board, move) and not only_reorders(board, move)
    }


@variants
@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(0, 80))
def test_legal_moves_are_what_the_rules_accept(variant, seed, moves):
    assert_legal_moves_are_the_rules(random_board(variant, seed, moves), variant)


@pytest.mark.parametrize("run_limit", ["standard", "linear", "single", "unlimited"])
@pytest.mark.parametrize("fill", ["any", "kings", "none"])
@pytest.mark.parametrize("build", ["alternate", "suit"])
def test_legal_moves_of_custom_variants(run_limit, fill, build):
    """On sorted columns, where runs are long and columns empty."""
    variant = Variant(run_limit=run_limit, fill=fill, build=build, cells=2)
    for seed in range(4):
        rng = random.Random(seed)
        suits = rng.sample(range(4), 4) if build == "suit" else [0, 1, 3, 2]
        columns: list[list[int]] = [[] for _ in range(8)]
        for index, suit in enumerate(suits):
            cut = rng.randint(4, 12)
            for rank in range(12, -1, -1):
                mixed = suit if build == "suit" else suits[(index + rank) % 4]
                columns[index if rank >= cut else 4 + rng.randint(0, 1) * 2].append(
                    cards.card_of(rank, mixed)
                )
        assert_legal_moves_are_the_rules(Board(columns, [None] * 2), variant)


@variants
@settings(max_examples=30, deadline=None)
@given(seeds)
def test_legal_moves_keep_52_cards(variant, seed):
    board = deal(seed % 1_000_000 + 1, variant)
    rng = random.Random(seed)
    for _ in range(60):
        legal = board.legal_moves(variant)
        if not legal:
            break
        before, board = board, board.apply(rng.choice(legal), variant)
        assert board.key() != before.key()
        assert everything(board) == list(cards.DECK)
        assert find_faults(board.columns, board.cells, board.foundations, board.base) == []


def test_apply_moves_a_run_in_order():
    board = Board.parse(case_text("75"))
    after = board.apply(Move("8", "4", 2))
    assert [after.name(card) for card in after.columns[3]] == ["9S", "8H"]
    assert after.columns[7] == ()
    assert board.columns[3] == ()


# Cases 38 to 55, 75 and 77: what may move where


def test_one_free_cell_moves_two_cards():
    board = Board.parse(case_text("38"))
    with pytest.raises(IllegalMove, match=r"5 cards are too many.*at most 2"):
        board.apply(Move("1", "2", 5))


def test_two_empty_columns_move_four_cards():
    board = Board.parse(case_text("40"))
    assert len(board.apply(Move("1", "2", 4)).columns[1]) == 12
    assert Move("1", "7", 2) in board.legal_moves()
    with pytest.raises(IllegalMove, match=r"3 cards are too many.*at most 2"):
        board.apply(Move("1", "7", 3))


def test_any_card_fills_an_empty_column():
    board = Board.parse(case_text("75"))
    assert board.apply(Move("a", "4")).columns[3] == (9,)


def test_stuck_and_nearly_stuck():
    board = DEAL_1
    for source, target in ("1a", "2b", "3c"):
        board = board.apply(Move(source, target))
    assert {move.target for move in board.legal_moves()} == {"d"}
    board = board.apply(Move("4", "d"))
    assert board == Board.parse(case_text("55"))
    assert board.legal_moves() == []


def test_no_card_in_an_empty_column():
    with pytest.raises(IllegalMove, match="no card there: column 4 is empty"):
        Board.parse(case_text("75")).apply(Move("4", "b"))


def test_colours_must_differ():
    board = Board.parse(case_text("77"))
    assert board.apply(Move("a", "1")).columns[0][-1] == cards.card_of(10, 1)
    with pytest.raises(IllegalMove, match="JD does not go on QD: the colours are the same"):
        board.apply(Move("a", "2"))


def test_a_cell_holds_one_card():
    board = deal(24).apply(Move("7", "a"))
    with pytest.raises(IllegalMove, match="cell a is occupied by JD"):
        board.apply(Move("3", "a"))


@pytest.mark.parametrize("place", ["9", "e", "0", "z", "", "12", "H", "A", None, 1])
def test_places_that_are_not_there(place):
    with pytest.raises(InvalidMove):
        DEAL_1.apply(Move(place, "1"))
    with pytest.raises(InvalidMove):
        DEAL_1.apply(Move("1", place))
