"""Boards in and out of text: the layouts of the case log, faults by line, exact round trips."""

import json
import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from positions import CASES, any_boards, case_text, random_board, seeds

from fcfast import cards
from fcfast.board import Board
from fcfast.boardtext import MAX_LENGTH, read_board
from fcfast.deals import deal
from fcfast.errors import InvalidBoard
from fcfast.rules import EIGHT_OFF, FREECELL, PENGUIN, PRESETS, Variant

STYLES = ("fc-solve", "rows", "json", "unicode")
DEAL_24 = deal(24)


def names(board: Board, places) -> list[str]:
    return ["--" if card is None else board.name(card) for card in places]


def faults(text: object, **options) -> list[str]:
    with pytest.raises(InvalidBoard) as caught:
        read_board(text, **options)
    return list(caught.value.faults)


# Cases 1 to 8: the numbered deals


@pytest.mark.parametrize(
    ("case", "number"),
    [
        ("01", 1),
        ("02", 617),
        ("03", 24),
        ("04", 11982),
        ("06", 3_000_000_000),
        ("08a", 2**31 - 1),
        ("08b", 2**31),
        ("08c", 2**32 - 1),
        ("11", -2),
        ("11b", -1),
    ],
)
def test_columns_of_a_deal(case, number):
    assert Board.parse(case_text(case)) == deal(number)


# Cases 16 to 33: spellings and layouts


@pytest.mark.parametrize("case", ["16", "30", "32"])
def test_other_spellings_of_deal_24(case):
    assert Board.parse(case_text(case)) == DEAL_24


@pytest.mark.parametrize("ten", ["T", "t", "10", "0"])
@pytest.mark.parametrize("ace", ["A", "a", "1"])
@pytest.mark.parametrize("suits", ["CDHS", "cdhs", "♣♦♥♠", "♧♢♡♤"])
@pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"])
@pytest.mark.parametrize("suit_first", [False, True])
def test_every_spelling_of_a_card(ten, ace, suits, selector, suit_first):
    ranks = {**{rank: rank for rank in cards.RANKS}, "T": ten, "A": ace}

    def spell(name):
        rank, suit = ranks[name[0]], suits["CDHS".index(name[1])] + selector
        return suit + rank if suit_first else rank + suit

    text = re.sub(r"\S\S", lambda found: spell(found[0]), case_text("03"))
    assert Board.parse(text) == DEAL_24


@pytest.mark.parametrize(("rank", "spelled"), [("A", "1"), ("J", "11"), ("Q", "12"), ("K", "13")])
def test_ranks_as_numbers(rank, spelled):
    assert Board.parse(case_text("03").replace(rank, spelled)) == DEAL_24


def test_there_is_no_rank_14():
    found = faults(case_text("03").replace("4C", "14S"))
    assert found == ["line 1: '14S' is not a card", "51 of 52 cards; missing: 4C"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "   "),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace("\n", " \n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: re.sub("^", ": ", text.rstrip(), flags=re.MULTILINE),
        lambda text: re.sub("^", ":", text.rstrip(), flags=re.MULTILINE),
        lambda text: re.sub("^", "  ", text, flags=re.MULTILINE),
        lambda text: text.rstrip(),
        lambda text: text + "\n\n  \n",
        lambda text: "\n \n" + text,
        lambda text: "Foundations:\nFreecells:\n\n" + text,
        lambda text: text + "FREECELLS: - -\nfounds: s-0 C- H-0",
    ],
)
def test_layouts_of_deal_24(change):
    assert read_board(change(case_text("03"))) == (DEAL_24, ())


def test_colons_and_full_cells():
    board = Board.parse(case_text("20"))
    assert board.columns[6] == ()
    assert names(board, board.cells) == ["6S", "8H", "QD", "4S"]
    assert board.foundations == (1, 1, 4, 1)


def test_a_blank_line_is_an_empty_column():
    board = Board.parse(case_text("21"))
    assert [len(column) for column in board.columns] == [3, 2, 0, 6, 7, 1, 1, 1]
    assert names(board, board.cells) == ["3D", "7D", "--", "--"]
    assert board == Board.parse(case_text("21") + "\n\n\n")
    assert board.with_cells(2) == Board.parse(case_text("21"), cells=2)


def test_a_blank_line_before_the_columns_is_not_one():
    foundations, cells, columns = case_text("21").split("\n", 2)
    text = f"\n{columns}\n{cells}\n{foundations}"
    assert Board.parse(text) == Board.parse(case_text("21"))


@pytest.mark.parametrize("end", ["", "\n\n", "\n \n\n"])
def test_seven_columns(end):
    assert faults(case_text("22") + end) == ["7 columns found, 8 expected"]
    board = Board.parse(case_text("22") + end, columns=7)
    assert [len(column) for column in board.columns] == [8, 8, 8, 7, 7, 7, 7]
    assert board == Board.parse(case_text("22"), FREECELL.replace(columns=7))


def test_dashes_are_empty_cells():
    board = Board.parse(case_text("24"))
    assert names(board, board.cells) == ["--", "QD", "--", "JD"]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("Freecells: JD -- 8H", "JD -- 8H --"),
        ("freecells: - JD - 8H", "-- JD -- 8H"),
        ("FC: JD 8H", "JD 8H -- --"),
        ("Free cells: JD  8H", "JD 8H -- --"),
        ("Freecells:      JD      8H", "-- JD -- 8H"),
        ("Freecells:  JD          8H", "JD -- -- 8H"),
        ("Freecells:              JD          8H", "JD 8H -- --"),
        ("Freecells:\tJD\t8H", "JD 8H -- --"),
        ("Freecells: JD 8H (2)", "JD 8H"),
        ("Freecells: -- JD 8H (2)", "JD 8H"),
        ("Freecells: JD 8H -- -- -- --", "JD 8H -- -- -- --"),
        ("Freecells: JD 8H -- -- -- -- (3)", "JD 8H --"),
    ],
)
def test_cells_lines(line, cells):
    text = case_text("03").replace(" JD\n", "\n").replace(" 8H", "")
    board = Board.parse(line + "\n" + text)
    assert names(board, board.cells) == cells.split()


def test_the_number_of_cells():
    """Asked for, else said, else the variant's or as many as are listed."""
    text = case_text("24")
    assert len(Board.parse(text, EIGHT_OFF).cells) == 8
    assert len(Board.parse(text.replace("JD\n", "JD (5)\n"), EIGHT_OFF).cells) == 5
    assert names(DEAL_24, Board.parse(text, cells=2).cells) == ["QD", "JD"]
    assert names(DEAL_24, Board.parse(text, cells=3).cells) == ["QD", "JD", "--"]
    assert faults(text, cells=1) == ["line 2: 2 cards in 1 cells"]
    assert faults(text.replace("JD\n", "JD (1)\n")) == ["line 2: 2 cards in 1 cells"]
    assert Board.parse(case_text("33"), cells=0).cells == ()
    assert Board.parse(case_text("33"), FREECELL.replace(cells=0)).cells == ()
    _, notes = read_board(text.replace("JD\n", "JD -- --\n"))
    assert notes == ("line 2: 6 cells, where freecell has 4",)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"columns": 0}, "columns=0: a board has 1 to 13 columns"),
        ({"columns": 14}, "columns=14: a board has 1 to 13 columns"),
        ({"cells": -1}, "cells=-1: a board has 0 to 10 cells"),
        ({"cells": 10**12}, "cells=1000000000000: a board has 0 to 10 cells"),
        ({"cells": True}, "cells=True: a board has 0 to 10 cells"),
        ({"cells": "4"}, "cells='4': a board has 0 to 10 cells"),
    ],
)
def test_counts_out_of_range(options, fault):
    assert faults(case_text("03"), **options) == [fault]


@pytest.mark.parametrize(
    ("line", "foundations"),
    [
        ("Foundations: H-4 C-A D-A S-A", (1, 1, 4, 1)),
        ("Founds: S-A D-1 C-a H-4", (1, 1, 4, 1)),
        ("Found: ♠-A ♦-A ♣-A ♥-4", (1, 1, 4, 1)),
        ("decks:h-4 c-a d-a s-a", (1, 1, 4, 1)),
    ],
)
def test_foundation_lines(line, foundations):
    text = line + "\n" + case_text("20").split("\n", 1)[1]
    assert Board.parse(text) == Board.parse(case_text("20"))
    assert Board.parse(text).foundations == foundations


def test_foundations_count_from_the_base():
    text = "Base: 7\nFoundations: C-7 D-6 H-0 S-K\nFreecells: (0)\n: 9C 8C\n: {}"
    rest = [f"{rank}C" for rank in "TJQKA23456"] + [f"{rank}H" for rank in cards.RANKS]
    rest += [f"{rank}S" for rank in "A23456"]
    board = Board.parse(text.format(" ".join(rest)), columns=2)
    assert board.base == 6
    assert board.foundations == (1, 13, 0, 7)
    assert board.columns[0] == (cards.card_of(2, 0), cards.card_of(1, 0))
    assert names(board, board.columns[0]) == ["9C", "8C"]


def test_rows_are_transposed_with_a_note():
    rows = "JD 2D 9H JC 5D 7H 7C 5H\nKD KC 9S 5S AD QC KH 3H\n2S KS 9D QD JS AS AH 3C\n"
    rows += "4C 5C TS QH 4H AC 4D 7S\n3S TD 4S TH 8H 2C JH 7D\n6D 8S 8D QS 6C 3D 8C TC\n"
    rows += "6S 9C 2H 6H\n"
    assert read_board(rows) == (deal(1), ("read row by row: 8 8 8 8 8 8 4 cards",))
    board, notes = read_board(case_text("28"))
    assert notes == ("read row by row: 8 8 8 8 8 8 4 cards",)
    assert [len(column) for column in board.columns] == [7] * 4 + [6] * 4
    assert names(board, board.columns[0]) == ["TH", "8D", "9D", "JD", "4D", "2H", "6D"]


def test_only_a_whole_deal_is_taken_for_rows():
    text = "Foundations: H-J C-J D-J S-J\nKC KD KH KS QC QD QH QS"
    assert faults(text) == ["1 column found, 8 expected"]


@pytest.mark.parametrize("columns", [4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
def test_rows_of_any_width(columns):
    variant = FREECELL.replace(columns=columns)
    board = deal(5, variant)
    shown = board.to_text("rows").split("Rows:\n")[-1].replace(" --", "")
    assert Board.parse(shown, variant) == board


def test_json():
    piles = [[DEAL_24.name(card) for card in column] for column in DEAL_24.columns]
    assert Board.parse(json.dumps({"tableau piles": piles})) == DEAL_24
    lower = [[name.lower().replace("t", "10") for name in pile] for pile in piles]
    assert Board.parse(json.dumps({"tableau piles": lower}, indent=4)) == DEAL_24
    assert (piles[6].pop(), piles[7].pop()) == ("JD", "9D")
    document = {"tableau piles": piles, "cells": ["", "JD", None, "9D"], "foundations": [[]] * 4}
    board = Board.parse(json.dumps(document))
    assert names(board, board.cells) == ["--", "JD", "--", "9D"]
    assert len(Board.parse(json.dumps({**document, "cells": ["JD", "9D"]})).cells) == 2
    assert len(Board.parse(json.dumps({**document, "cells": ["JD", "9D"]}), cells=4).cells) == 4
    piles[3].pop()
    document["foundations"] = [["AS"], [], [], []]
    assert Board.parse(json.dumps(document)).foundations == (0, 0, 0, 1)


def test_tiny_boards():
    for case in ("72a-simple-solvable", "72c-simple-unsolvable"):
        board = Board.parse(case_text(case), columns=4, cells=1)
        assert board.cells == (None,)
        assert board.foundations == (9, 9, 9, 9)
        assert {len(column) for column in board.columns} == {4}
        assert Board.parse(board.to_text(), columns=4) == board


# Faults: all at once, by line and card


def test_a_stray_character_in_the_cells_line():
    assert faults(case_text("18")) == ["line 1: 'd' is not a card"]


def test_a_card_twice_and_one_missing():
    assert faults(case_text("25")) == [
        "twice or more: AC (line 2 and line 4)",
        "51 of 52 cards; missing: AS",
    ]


@pytest.mark.parametrize("text", [case_text("26"), "", "\n\n", " ", "\ufeff"])
def test_no_cards_at_all(text):
    assert faults(text) == ["0 of 52 cards: the text is empty"]


def test_everything_wrong_is_said_at_once():
    text = case_text("20").replace("H-4", "H-X").replace("QD", "ZZ").replace(": 5H", ": 5H 5H")
    text += "Freecells: 2S\nNotes: 3C\n:\n"
    assert faults(text) == [
        "line 1: 'H-X' is not a foundation such as H-0, C-A or S-T",
        "line 2: 'ZZ' is not a card",
        "line 11: a second line 'Freecells'",
        "line 12: no line is labelled 'Notes'",
        "9 columns found, 8 expected",
        "twice or more: 5H (line 4 and line 4)",
        "47 of 52 cards; missing: AH 2H 3H 4H QD",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Foundations: H-9\n" + case_text("03"), "in play but also home: AH (line 8)"),
        ("Foundations: H-0 H-0\n" + case_text("03"), "line 1: a second foundation H"),
        ("Foundations: X-0\n" + case_text("03"), "line 1: 'X-0' is not a foundation"),
        ("Foundations: H0\n" + case_text("03"), "line 1: 'H0' is not a foundation"),
        ("Foundations: H-14\n" + case_text("03"), "line 1: 'H-14' is not a foundation"),
        ("Base: 14\n" + case_text("03"), "line 1: '14' is not a rank"),
        ("Base: 0\n" + case_text("03"), "line 1: '0' is not a rank"),
        ("Rows: 4C\n" + case_text("03"), "line 1: rows begin on the line after 'Rows:'"),
        ("Rows:\n-- 4C\n4D --", "line 3: 4D lies on an empty place"),
        (case_text("03").replace("4C", "--"), "line 1: an empty place among the cards"),
        (case_text("03").replace("4C", "4C;"), "line 1: '4C;' is not a card"),
        (case_text("03").replace("4C 2C", "4C2C"), "line 1: '4C2C' is not a card"),
        (case_text("03") + "Freecells: 4C", "twice or more: 4C (line 1 and line 9)"),
        (case_text("03") + ": 4C", "9 columns found, 8 expected"),
        ("hello world", "line 1: 'hello', 'world' are not cards"),
        ("x " * 99, "'x', 'x' and 91 more are not cards"),
        ("x" * 99, "line 1: 'xxxxxxxxxxxxxxxxxxxx' is not a card"),
        ("{", "not JSON: "),
        ("[[]]", "a board in JSON is"),
        ("{}", "a board in JSON is"),
        ("[" * 9999, "not JSON: "),
        ('{"tableau piles":' + "[" * 4000 + "]" * 4000 + "}", ""),
        ('{"tableau piles": 8}', "tableau piles: not a list"),
        ('{"tableau piles": [8, "4C"]}', "tableau pile 1: not a list"),
        ('{"tableau piles": [[8, "4C"]]}', "tableau pile 1: int is not a card"),
        ('{"tableau piles": [["4C", null]]}', "tableau pile 1: an empty place among the cards"),
        ('{"tableau piles": [], "cells": 4}', "cells: not a list"),
        ('{"tableau piles": [], "cells": [' + "null," * 1000 + "null]}", "1001 cells: a board"),
        ('{"tableau piles": [], "base": 7}', "base: int is not a rank"),
        (
            '{"tableau piles": [], "base": ' + "[" * 400 + "]" * 400 + "}",
            "base: list is not a rank",
        ),
        ('{"tableau piles": [], "foundations": [["2C"]]}', "foundation 1: not one suit in order"),
        ('{"tableau piles": [], "foundations": [["AC"], ["AC"]]}', "foundation 2: a second"),
        ('{"tableau piles": [["\\ud800"]]}', "tableau pile 1: '\\ud800' is not a card"),
        ("JD " * 4000, f"12000 characters of text: a board takes {MAX_LENGTH} at most"),
        (b"JD", "a board is read from str, not from bytes"),
        (None, "a board is read from str, not from NoneType"),
    ],
)
def test_faults(text, fault):
    assert any(fault in found for found in faults(text))


# Round trips


def assert_round_trip(board: Board) -> None:
    for style in STYLES:
        text = board.to_text(style)
        assert read_board(text, columns=len(board.columns))[0] == board
        assert all(line == line.rstrip() for line in text.split("\n"))
        assert text.isascii() or style == "unicode"
        assert text == board.to_text(style)


@given(any_boards)
def test_print_then_parse_is_identity(board):
    assert_round_trip(board)


@pytest.mark.parametrize("variant", PRESETS.values(), ids=PRESETS)
@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(0, 80))
def test_print_then_parse_is_identity_in_play(variant, seed, moves):
    board = random_board(variant, seed, moves)
    assert_round_trip(board)
    assert Board.parse(str(board), variant) == board


@pytest.mark.parametrize("columns", [1, 4, 8, 13])
@pytest.mark.parametrize("cells", [0, 4, 10])
@pytest.mark.parametrize("base", [0, 6])
def test_a_won_board_round_trips(columns, cells, base):
    assert_round_trip(Board([()] * columns, [None] * cells, [13] * 4, base))


@given(any_boards)
def test_columns_without_colons(board):
    """Blank lines stand for empty columns, but at the end."""
    if board.columns[-1]:
        text = re.sub("^: ?", "", str(board), flags=re.MULTILINE)
        assert Board.parse(text, columns=len(board.columns)) == board


def test_printed_forms_do_not_change():
    board = Board.parse(case_text("75"))
    assert str(board) == (
        "Foundations: H-6 C-A D-A S-7\n"
        "Freecells: 3D -- -- 9H\n"
        ": 4C 2C 9C 8C QS JD\n"
        ": KS QH\n"
        ": QC JH\n"
        ":\n"
        ": 2D KD TH TC TD 8D 7C 6D 5C 4D 3C\n"
        ": 7H JS KH TS KC QD JC\n"
        ": 9D 8S 7D 6C 5D\n"
        ": 9S 8H"
    )
    assert board.to_text("unicode").splitlines()[:3] == [
        "Foundations: ♥-6 ♣-A ♦-A ♠-7",
        "Freecells: 3♦ -- -- 9♥",
        ": 4♣ 2♣ 9♣ 8♣ Q♠ J♦",
    ]
    assert board.to_text("rows").splitlines()[2:5] == [
        "Rows:",
        "4C KS QC -- 2D 7H 9D 9S",
        "2C QH JH -- KD JS 8S 8H",
    ]
    assert board.to_text("rows").splitlines()[-1] == "-- -- -- -- 3C -- -- --"
    document = json.loads(board.to_text("json"))
    assert document["tableau piles"][1] == ["KS", "QH"]
    assert document["cells"] == ["3D", None, None, "9H"]
    assert document["foundations"][0] == ["AC"]
    assert str(board.with_cells(2)).splitlines()[1] == "Freecells: 3D 9H (2)"
    assert str(deal(7, PENGUIN)).splitlines()[0].startswith("Base: ")


def test_a_fresh_deal_is_printed_as_generators_do():
    assert str(deal(1)) + "\n" == case_text("01")
    assert deal(1).to_text("rows").splitlines()[0] == "JD 2D 9H JC 5D 7H 7C 5H"
    assert deal(617).to_text("rows").splitlines()[0] == "7D AD 5C 3S 5S 8C 2D AH"
    assert str(deal(1, Variant(cells=3))).splitlines()[1] == "Freecells: -- -- -- (3)"


def test_unknown_styles_are_refused():
    with pytest.raises(ValueError, match="style is"):
        DEAL_24.to_text("html")


# Any text


def changed(board_text: str, changes) -> str:
    """The text with pieces put in or cut out."""
    for start, length, piece in changes:
        start %= len(board_text) + 1
        board_text = board_text[:start] + piece + board_text[start + length :]
    return board_text


alphabet = st.characters() | st.sampled_from('A1234567890TJQKCDHScdhs♣♦♥♠\ufe0f :-()[]{}",\n\r\t')
any_text = st.text(alphabet) | st.builds(
    changed,
    st.sampled_from([path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.board"))])
    | st.builds(Board.to_text, any_boards, st.sampled_from(STYLES)),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 30), st.text(alphabet, max_size=30))),
)


@settings(max_examples=500, deadline=None)
@given(any_text, st.none() | st.integers(1, 13), st.none() | st.integers(0, 10))
@example("(", None, None)
@example("Freecells: (99)", None, None)
@example(":" * MAX_LENGTH, None, None)
@example("\n:" * (MAX_LENGTH // 2), None, None)
@example("Rows:\n" + "- " * 4990, None, None)
@example("Rows:" + "\n-" * 4990, None, None)
@example(" " * (MAX_LENGTH - 1) + "4", None, None)
@example("Freecells:" + " " * (MAX_LENGTH - 12) + "4C", None, None)
@example('{"tableau piles": [' + "9" * 9000 + "]}", None, None)
def test_any_text_is_a_board_or_invalid(text, columns, cells):
    start = time.perf_counter()
    try:
        board = Board.parse(text, columns=columns, cells=cells)
    except InvalidBoard as error:
        assert error.faults
        assert all(error.faults)
    else:
        assert Board.parse(str(board), columns=len(board.columns)) == board
    assert time.perf_counter() - start < 1
