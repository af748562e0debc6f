"""The rules: variants as data, the predicates, run limits, the sentences of check(), the tables."""

import itertools
import json
import re
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import case_text

from fcfast import cards
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import InvalidMove, InvalidVariant
from fcfast.moves import Move
from fcfast.rules import (
    BAKERS_GAME,
    EIGHT_OFF,
    FORECELL,
    FREECELL,
    PENGUIN,
    PRESETS,
    SEAHAVEN_TOWERS,
    Variant,
    check,
    fills,
    fits,
    goes_home,
    preset,
    run_cost,
    run_limit,
    supermove_limit,
    tables,
)

# Variants


def test_presets():
    assert list(PRESETS) == [variant.name for variant in PRESETS.values()]
    assert (EIGHT_OFF.cells, EIGHT_OFF.dealt_to_cells) == (8, 4)
    assert (SEAHAVEN_TOWERS.columns, SEAHAVEN_TOWERS.dealt_to_cells) == (10, 2)
    assert Variant("freecell") == FREECELL


@pytest.mark.parametrize("name", ["bakers_game", "Baker's Game", "BAKERS-GAME"])
def test_names_of_presets(name):
    assert preset(name) is BAKERS_GAME


@pytest.mark.parametrize("name", ["eight_board", "", "freecell ", None, 4])
def test_unknown_names_list_all_presets(name):
    """Case 36."""
    words = re.escape(f"no variant {name!r}; there are {', '.join(PRESETS)}")
    with pytest.raises(InvalidVariant, match=words):
        preset(name)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"columns": 0}, "columns must be a whole number 1..13, not 0"),
        ({"columns": 14}, "columns must be a whole number 1..13, not 14"),
        ({"columns": 8.0}, "not 8.0"),
        ({"columns": True}, "not True"),
        ({"cells": -1}, "cells must be a whole number 0..10, not -1"),
        ({"cells": 11}, "cells must be a whole number 0..10, not 11"),
        ({"cells": "4"}, "not '4'"),
        ({"dealt_to_cells": 5}, "5 cards cannot be dealt to 4 cells"),
        ({"build": "colour"}, "build must be one of alternate, suit, not 'colour'"),
        ({"fill": None}, "fill must be one of any, kings, none, not None"),
        ({"fill": ["any"]}, "fill must be one of"),
        ({"run_limit": 5}, "run_limit must be one of standard, linear, single, unlimited, not 5"),
        ({"beak": 1}, "name must be text and beak true or false"),
        ({"name": None}, "name must be text"),
        ({"rows": 8}, "a variant has no 'rows'; it has beak, build, cells"),
    ],
)
def test_what_no_variant_is(fields, words):
    with pytest.raises(InvalidVariant, match=re.escape(words)):
        FREECELL.replace(**fields)
    with pytest.raises(InvalidVariant, match=re.escape(words)):
        Variant.from_json(json.dumps(fields))


@pytest.mark.parametrize("text", ["", "{", "[]", "8", "[" * 100_000, None])
def test_what_no_json_variant_is(text):
    with pytest.raises(InvalidVariant, match=r"not JSON|a variant is a JSON object"):
        Variant.from_json(text)


variants = st.builds(
    Variant,
    name=st.text(),
    columns=st.integers(1, 13),
    cells=st.integers(2, 10),
    build=st.sampled_from(["alternate", "suit"]),
    fill=st.sampled_from(["any", "kings", "none"]),
    run_limit=st.sampled_from(["standard", "linear", "single", "unlimited"]),
    dealt_to_cells=st.integers(0, 2),
    beak=st.booleans(),
)


@given(variants)
def test_json_round_trips(variant):
    assert Variant.from_json(variant.to_json()) == variant


def test_json_needs_only_what_differs():
    assert Variant.from_json('{"cells": 2}') == Variant(cells=2)
    assert FREECELL.replace(cells=2) == Variant("freecell", cells=2)


# Predicates


def test_fits():
    for one, other in itertools.product(cards.DECK, repeat=2):
        rank, suit = cards.name(one)
        rank_onto, suit_onto = cards.name(other)
        one_lower = rank + rank_onto in "A23456789TJQK"
        other_colour = (suit in "DH") != (suit_onto in "DH")
        assert fits(FREECELL, one, other) == (one_lower and other_colour)
        assert fits(BAKERS_GAME, one, other) == (one_lower and suit == suit_onto)


@pytest.mark.parametrize(
    ("fill", "allowed"), [("any", list(cards.DECK)), ("kings", [48, 49, 50, 51]), ("none", [])]
)
def test_fills(fill, allowed):
    assert [one for one in cards.DECK if fills(FREECELL.replace(fill=fill), one)] == allowed


def test_goes_home():
    home = (0, 3, 13, 12)  # clubs, diamonds, hearts, spades
    assert [cards.name(one) for one in cards.DECK if goes_home(one, home)] == ["AC", "4D", "KS"]


# Run limits

ONTO_A_CARD = {
    (0, 0): 1,
    (1, 0): 2,
    (4, 0): 5,
    (0, 1): 2,
    (1, 1): 4,
    (2, 1): 6,
    (3, 1): 8,
    (4, 1): 10,
    (0, 2): 4,
    (1, 2): 8,
    (2, 2): 12,
    (3, 2): 16,
    (4, 2): 20,
}


@pytest.mark.parametrize(("free", "limit"), ONTO_A_CARD.items(), ids=str)
def test_the_supermove_table(free, limit):
    """Case 41."""
    assert supermove_limit(*free) == limit


def test_an_empty_target_does_not_help():
    assert [supermove_limit(free, 1, to_empty=True) for free in range(5)] == [1, 2, 3, 4, 5]
    assert [supermove_limit(free, 2, to_empty=True) for free in range(5)] == [2, 4, 6, 8, 10]


@pytest.mark.parametrize("counts", [(-1, 0), (0, -1), (4, 0, True)])
def test_supermoves_of_nowhere(counts):
    with pytest.raises(ValueError, match=r"(free_cells|empty_columns) must be [01] or more"):
        supermove_limit(*counts)


@pytest.mark.parametrize(
    ("changes", "onto_a_card", "into_empty"),
    [
        ({}, 12, 6),
        ({"fill": "kings"}, 3, 3),
        ({"fill": "none"}, 3, 3),
        ({"run_limit": "linear"}, 5, 4),
        ({"run_limit": "single"}, 1, 1),
        ({"run_limit": "unlimited"}, 13, 13),
    ],
)
def test_run_limits_with_two_cells_and_two_columns(changes, onto_a_card, into_empty):
    variant = FREECELL.replace(**changes)
    assert run_limit(variant, 2, 2) == onto_a_card
    assert run_limit(variant, 2, 2, to_empty=True) == into_empty


def test_run_costs():
    """Case 42; where only kings fill a column, columns do not help."""
    assert [run_cost(FREECELL, count, 2, 1) for count in range(1, 8)] == [1, 3, 5, 7, 11, 15, 0]
    assert [run_cost(FORECELL, count, 2, 1) for count in range(1, 5)] == [1, 3, 5, 0]
    assert [run_cost(PENGUIN, count, 2, 1, True, True) for count in range(1, 5)] == [1, 3, 5, 0]
    for limit in ("linear", "unlimited"):
        assert run_cost(FREECELL.replace(run_limit=limit), 5, 1, 0) == 5


# Checks


def test_case_38_five_cards_through_one_cell():
    board = Board.parse(case_text("38"))
    assert check(board, Move("1", "2", 5)) == (
        "5 cards are too many: with 1 free cell and 0 empty columns at most 2 can move"
    )
    relaxed = FREECELL.replace(run_limit="unlimited")
    assert check(board, Move("1", "2", 5), relaxed) is None


def test_case_40_no_cells_two_columns():
    board = Board.parse(case_text("40"))
    assert check(board, Move("1", "2", 4)) is None
    assert check(board, Move("1", "7", 2)) is None
    assert check(board, Move("1", "7", 3)) == (
        "3 cards are too many: with 0 free cells and 2 empty columns (one of them the target) "
        "at most 2 can move"
    )


def test_cards_do_not_come_back_from_home():
    """Case 45."""
    assert check(deal(1), Move("h", "5")) == "cards do not come back from the foundations"


def test_any_card_may_fill_an_empty_column():
    """Case 46."""
    board = Board.parse(case_text("77"))
    empty = Board((*board.columns[:7], (), board.columns[7]), board.cells, board.foundations)
    assert check(empty, Move("c", "8")) is None
    assert check(empty, Move("c", "8"), FORECELL) == (
        "2H may not fill the empty column 8: only a K may"
    )
    assert check(empty, Move("c", "8"), FREECELL.replace(fill="none")) == (
        "no card may fill the empty column 8"
    )


def test_penguins_kings_are_one_rank_below_the_beak():
    board = deal(1, PENGUIN)  # its beak is the jack of diamonds
    assert board.name(0) == "JC"
    wider = Board([*board.columns, []], board.cells, board.foundations, board.base)
    top = board.name(board.columns[0][-1])
    assert check(wider, Move("1", "8"), PENGUIN) == (
        f"{top} may not fill the empty column 8: only a T may"
    )


@pytest.mark.parametrize(
    ("case", "move", "reason"),
    [
        ("75", Move("4", "b"), "no card there: column 4 is empty"),
        ("75", Move("b", "1"), "cell b is empty"),
        ("75", Move("a", "4", 2), "a cell holds one card, not 2"),
        ("75", Move("1", "b", 2), "a cell takes one card at a time"),
        ("75", Move("1", "h", 2), "cards go home one at a time"),
        ("75", Move("3", "2", 3), "column 3 holds 2 cards, not 3"),
        ("75", Move("1", "4", 3), "not a run: QS does not build on 8C"),
        ("75", Move("1", "a"), "cell a is occupied by 3D"),
        ("75", Move("1", "1"), "the move goes from a place to itself"),
        ("75", Move("1", "h"), "JD cannot go home before 2D"),
        ("77", Move("a", "1"), None),
        ("77", Move("a", "2"), "JD does not go on QD: the colours are the same"),
        ("77", Move("a", "3"), "JD does not go on 3D: it is not one rank lower"),
    ],
)
def test_reasons(case, move, reason):
    """Cases 75, 77 and the kinds of 78."""
    assert check(Board.parse(case_text(case)), move) == reason


def test_the_suits_differ():
    board = Board.parse(case_text("77"))
    assert check(board, Move("a", "1"), BAKERS_GAME) == "JD does not go on QS: the suits differ"


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Move("9", "a"), "no column 9: this board has 8"),
        (Move("1", "e"), "no cell e: this board has 4"),
        (Move("1", "q"), "'q' is not a place"),
        (Move("12", "a"), "'12' is not a place"),
        (Move("", "a"), "'' is not a place"),
        (Move(1, "a"), "1 is not a place"),
        (Move("1", None), "None is not a place"),
        (Move("1", "a", 0), "0 is not a number of cards"),
        (Move("1", "a", 1.0), "1.0 is not a number of cards"),
        (Move("1", "a", True), "True is not a number of cards"),
        ("1a", "'1a' is not a move"),
        (("1", "a"), r"('1', 'a') is not a move"),
        (None, "None is not a move"),
    ],
)
def test_what_no_move_is(move, words):
    with pytest.raises(InvalidMove, match=re.escape(words)):
        check(deal(1), move)


# Tables


@given(variants, st.integers(1, 13), st.integers(0, 10))
def test_tables_hold_what_the_predicates_say(variant, columns, cells):
    table = tables(variant, columns, cells)
    *fit_masks, fill_mask = struct.unpack_from("=53Q", table)
    for one in cards.DECK:
        assert [onto for onto in cards.DECK if fit_masks[one] >> onto & 1] == [
            onto for onto in cards.DECK if fits(variant, one, onto)
        ]
        assert (fill_mask >> one & 1) == fills(variant, one)
    limits, costs = table[53 * 8 :][: 2 * 11 * 14], table[53 * 8 + 2 * 11 * 14 : -2]
    for free, empty in itertools.product(range(cells + 1), range(columns + 1)):
        for to_empty in (False, True) if empty else (False,):
            limit = run_limit(variant, free, empty, to_empty)
            assert limits[14 * (11 * to_empty + free) + empty] == min(13, limit)
    for free, spare, count in itertools.product(range(cells + 1), range(columns), range(1, 14)):
        for kind, (vacates, into_empty) in enumerate(itertools.product((False, True), repeat=2)):
            cost = costs[((kind * 14 + count) * 11 + free) * 14 + spare]
            assert cost == run_cost(variant, count, free, spare, vacates, into_empty)
    assert tuple(table[-2:]) == (columns, cells)
