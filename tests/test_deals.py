"""Numbered deals: known layouts, the ranges, what is refused, the layouts of variants."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcfast import cards, deals, rules
from fcfast.board import Board
from fcfast.errors import InvalidDeal
from fcfast.rules import FREECELL, PRESETS

CASES = Path(__file__).parent / "data" / "cases"


def columns_of(name: str) -> list[list[str]]:
    """The columns of a plain board file, as names of cards."""
    return [line.split() for line in (CASES / f"{name}.board").read_text().splitlines()]


def names(board) -> list[list[str]]:
    return [[board.name(card) for card in column] for column in board.columns]


@pytest.mark.parametrize(
    ("number", "case"),
    [
        (1, "01"),
        (617, "02"),
        (24, "03"),
        (11982, "04"),
        (3_000_000_000, "06"),
        (2**31 - 1, "08a"),
        (2**31, "08b"),
        (2**32 - 1, "08c"),
        (-1, "11b"),
        (-2, "11"),
    ],
)
def test_known_layouts(number, case):
    board = deals.deal(number)
    assert names(board) == columns_of(case)
    assert board.cells == (None,) * 4
    assert board.foundations == (0, 0, 0, 0)


def test_the_first_row_of_deal_1():
    row = [column[0] for column in names(deals.deal(1))]
    assert row == ["JD", "2D", "9H", "JC", "5D", "7H", "7C", "5H"]


def test_the_four_ranges_deal_differently():
    """Numbers that differ by 2**31 or 2**32 share a seed but not a layout."""
    layouts = {deals.deal(offset + 24) for offset in (0, 2**31, 2**32, 2**32 + 2**31)}
    assert len(layouts) == 4


@pytest.mark.parametrize("text", ["24", "ms24", "MS24", "Ms24", " 24\n", "0024"])
def test_text(text):
    assert deals.parse_number(text) == 24
    assert deals.deal(text) == deals.deal(24)


def test_joke_games_as_text():
    assert deals.deal("-1") == deals.deal(-1)
    assert deals.parse_number("-2") == -2


def test_text_that_is_meant_as_a_number():
    for text in ("24", "MS24", "-3", "0", "9" * 5000, " 1\n"):
        assert deals.is_number(text)
    for text in ("", "ms", "24.board", "1.5", "AC 2C", "1 2", "[[]]"):
        assert not deals.is_number(text)


class Index:
    """Stands for a number as numpy's integers do, without being an int."""

    def __index__(self) -> int:
        return 617


def test_values_that_stand_for_an_int():
    assert deals.deal(Index()) == deals.deal(617)


@pytest.mark.parametrize("kind", ["int8", "uint16", "int64", "uint64"])
def test_numpy_integers(kind):
    numpy = pytest.importorskip("numpy")
    assert deals.deal(getattr(numpy, kind)(24)) == deals.deal(24)


REFUSED = [
    0,
    -3,
    -4,
    -(2**32) + 1,
    2**33,
    2**33 + 1,
    2**39 + 3,
    2**64 + 1,
    10**30,
    10**5000,
    300_000_000_000,
    True,
    False,
    1.0,
    617.5,
    float("nan"),
    None,
    b"617",
    [617],
    "",
    " ",
    "1.5",
    "1e3",
    "0x10",
    "1_000",
    "+24",
    "ms",
    "fc24",
    "24 25",
    "٢٤",
    "9" * 5000,
    "x" * 5000,
    "12345678901234567890",
]


@pytest.mark.parametrize("number", REFUSED, ids=lambda number: repr(type(number).__name__))
def test_refused_with_the_range_in_the_message(number):
    with pytest.raises(InvalidDeal) as caught:
        deals.deal(number)
    message = str(caught.value)
    assert "1..8589934591, -1 and -2" in message
    assert len(message) < 150


def test_numpy_bool_and_float_are_refused():
    numpy = pytest.importorskip("numpy")
    for value in (numpy.True_, numpy.float64(24), numpy.array([24, 25])):
        with pytest.raises(InvalidDeal):
            deals.deal(value)


@given(st.text(max_size=30))
def test_any_text_is_a_number_in_range_or_refused(text):
    try:
        number = deals.parse_number(text)
    except InvalidDeal:
        return
    assert number in (-1, -2) or 1 <= number <= deals.LAST_DEAL


@given(st.integers(1, deals.LAST_DEAL), st.sampled_from(sorted(PRESETS)))
def test_every_variant_deals_the_deck_in_its_shape(number, name):
    variant = PRESETS[name]
    board = deals.deal(number, variant)
    heights = [len(column) for column in board.columns]
    assert len(board.columns) == variant.columns
    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[-1] <= 1
    assert len(board.cells) == variant.cells
    assert variant.cells - board.free_cells == variant.dealt_to_cells
    assert sum(board.foundations) == (3 if variant.beak else 0)


def test_fewer_and_more_columns():
    seven = deals.deal(1, FREECELL.replace(columns=7))
    assert [len(column) for column in seven.columns] == [8, 8, 8, 7, 7, 7, 7]
    assert [column[0] for column in names(seven)] == ["JD", "2D", "9H", "JC", "5D", "7H", "7C"]
    assert names(seven)[0][1] == "5H"
    one = deals.deal(1, FREECELL.replace(columns=1))
    assert list(one.columns[0]) == deals.shuffled(1)
    thirteen = deals.deal(1, FREECELL.replace(columns=13, cells=10))
    assert {len(column) for column in thirteen.columns} == {4}
    assert len(thirteen.cells) == 10


@pytest.mark.parametrize(
    ("variant", "height"),
    [(rules.EIGHT_OFF, 6), (rules.SEAHAVEN_TOWERS, 5), (rules.FORECELL, 6)],
)
def test_the_last_cards_of_the_deck_start_in_cells(variant, height):
    board = deals.deal(617, variant)
    order = deals.shuffled(617)
    dealt = variant.dealt_to_cells
    assert list(board.cells) == order[-dealt:] + [None] * (variant.cells - dealt)
    assert {len(column) for column in board.columns} == {height}
    assert [column[0] for column in board.columns] == order[: variant.columns]


def test_penguin():
    """Deal 617 turns up the seven of diamonds first: the sevens are the base."""
    board = deals.deal(617, rules.PENGUIN)
    assert board.base == cards.RANKS.index("7")
    assert names(board)[0][0] == "7D"
    assert board.columns[0][0] == cards.card_of(0, cards.SUITS.index("D"))
    assert board.foundations == (1, 0, 1, 1)
    assert [len(column) for column in board.columns] == [7] * 7
    in_play = [name for row in zip(*names(board), strict=True) for name in row]
    dealt = [cards.name(card) for card in deals.shuffled(617)]
    assert in_play == [name for name in dealt if name == "7D" or name[0] != "7"]


@pytest.mark.parametrize(
    "variant", [rules.SEAHAVEN_TOWERS, rules.EIGHT_OFF, rules.PENGUIN, FREECELL.replace(columns=7)]
)
def test_joke_games_only_where_their_columns_exist(variant):
    with pytest.raises(InvalidDeal, match="eight columns"):
        deals.deal(-1, variant)


def test_joke_games_of_variants_with_freecells_layout():
    assert deals.deal(-2, rules.BAKERS_GAME).columns == deals.deal(-2).columns
    assert len(deals.deal(-1, FREECELL.replace(cells=0)).cells) == 0


@given(st.integers(1, deals.LAST_DEAL - 300), st.sampled_from([1, 7, 2**25]))
def test_bulk_dealing_equals_one_by_one(first, step):
    numbers = range(first, min(first + 5 * step, deals.LAST_DEAL + 1), step)
    packed = deals.deal_packed(numbers)
    assert list(packed) == [card for number in numbers for card in deals.shuffled(number)]


def test_bulk_dealing_across_the_ranges():
    for start in (2**31 - 2, 2**32 - 2, 2**33 - 4):
        numbers = range(start, start + 4)
        packed = deals.deal_packed(numbers)
        assert list(packed) == [card for number in numbers for card in deals.shuffled(number)]


def test_bulk_dealing_backwards_and_not_at_all():
    assert deals.deal_packed(range(3, 0, -1)) == b"".join(
        deals.deal_packed(range(number, number + 1)) for number in (3, 2, 1)
    )
    assert deals.deal_packed(range(5, 5)) == b""


@pytest.mark.parametrize("numbers", [range(0, 5), range(-2, 0), range(2**33 - 1, 2**33 + 1)])
def test_bulk_dealing_refuses_what_is_no_shuffle(numbers):
    with pytest.raises(InvalidDeal):
        deals.deal_packed(numbers)


@pytest.mark.parametrize("number", [1, 617, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1, -1, -2])
def test_find_deal(number):
    assert deals.find_deal(deals.deal(number)) == [number]


def test_find_deal_by_case_boards():
    assert deals.find_deal(Board.parse((CASES / "06.board").read_text())) == [3_000_000_000]
    assert deals.find_deal(Board.parse((CASES / "28.board").read_text())) == [422_542]
    assert deals.find_deal(Board.parse((CASES / "12.board").read_text())) == [-2]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_find_deal_in_every_variant(name):
    board = deals.deal(2**31 + 617, PRESETS[name])
    assert deals.find_deal(board) == [2**31 + 617]


def test_the_number_of_cells_does_not_matter():
    assert deals.find_deal(deals.deal(24, FREECELL.replace(cells=0))) == [24]


def test_find_deal_with_columns_in_another_order():
    board = deals.deal(617)
    long, short = board.columns[:4], board.columns[4:]
    permuted = Board((*long[1:], long[0], *reversed(short)))
    assert deals.find_deal(permuted) == []
    assert deals.find_deal(permuted, permuted=True) == [617]


def test_a_short_column_before_a_long_one_is_no_deal():
    board = deals.deal(617)
    assert deals.find_deal(Board(board.columns[::-1]), permuted=True) == []


def test_find_deal_with_a_column_mixed_up():
    """Permuted means whole columns: the same rows with two cards swapped are another layout."""
    first, second, *rest = deals.deal(617).columns
    mixed = Board((first[:-1] + second[-1:], second[:-1] + first[-1:], *rest))
    assert deals.find_deal(mixed, permuted=True) == []


def test_find_deal_in_the_middle_of_a_game():
    board = deals.deal(1)
    moved = board.apply(next(move for move in board.legal_moves() if move.target == "a"))
    assert deals.find_deal(moved) == []


def test_find_deal_reports_progress_and_takes_one_worker():
    parts = []
    assert deals.find_deal(deals.deal(617), progress=parts.append, workers=1) == [617]
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert len(parts) > 100


def test_an_error_in_progress_ends_the_search():
    class Enough(Exception):
        pass

    def stop(part):
        raise Enough

    with pytest.raises(Enough):
        deals.find_deal(deals.deal(617), progress=stop)
