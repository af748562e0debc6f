"""The native core against the Python rules, which are another implementation of the same game."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from positions import any_board, case_text, random_board

from fcfast import rules
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.moves import HOME, Move
from fcfast.native import engine
from fcfast.result import PLACES
from fcfast.rules import FREECELL, PRESETS, Variant

pytestmark = pytest.mark.native

PERFT = json.loads((Path(__file__).parent / "data" / "perft.json").read_text())
BOARDS_PER_VARIANT = 10_000


def tables_for(board: Board, variant: Variant = FREECELL) -> bytes:
    return rules.tables(variant, len(board.columns), len(board.cells))


def native_moves(board: Board, variant: Variant = FREECELL) -> list[Move]:
    steps = engine.legal_moves(board.pack(), tables_for(board, variant))
    return [Move(PLACES[source], PLACES[target], count) for source, target, count in steps]


def walks(variant: Variant, boards: int) -> Iterator[tuple[Board, list[Board]]]:
    """Random games until `boards` positions have been seen: the deal and its positions."""
    rng = random.Random(variant.name)
    while boards > 0:
        board = start = deal(rng.randint(1, 2**33 - 1), variant)
        game = []
        while len(game) < min(100, boards):
            game.append(board)
            moves = board.legal_moves(variant)
            if not moves:
                break
            home = [move for move in moves if move.target == HOME]
            board = board.moved(rng.choice(home if home and rng.random() < 0.5 else moves))
        boards -= len(game)
        yield start, game


def shuffled(board: Board, rng: random.Random) -> Board:
    columns, cells = list(board.columns), list(board.cells)
    rng.shuffle(columns)
    rng.shuffle(cells)
    return Board(columns, cells, board.foundations, board.base)


def unpacked(packed: bytes, base: int = 0) -> Board:
    columns, cells = packed[:2]
    taken = [None if card == 255 else card for card in packed[6 : 6 + cells]]
    piles, at = [], 6 + cells
    for _ in range(columns):
        piles.append(packed[at + 1 : at + 1 + packed[at]])
        at += 1 + packed[at]
    return Board(piles, taken, packed[2:6], base)


@pytest.mark.parametrize("variant", PRESETS.values(), ids=PRESETS)
def test_both_sides_agree_on_random_reachable_boards(variant: Variant) -> None:
    rng = random.Random(0)
    for start, game in walks(variant, BOARDS_PER_VARIANT):
        tables, packed_start = tables_for(start, variant), start.pack()
        keys: dict[object, bytes] = {}
        for board in game:
            packed = board.pack()
            moves = native_moves(board, variant)
            assert len(set(moves)) == len(moves)
            assert set(moves) == set(board.legal_moves(variant)), board

            if moves:
                index = rng.randrange(len(moves))
                after, restored = engine.apply_move(packed, tables, index)
                assert after == board.apply(moves[index], variant).pack(), board
                assert restored == packed

            key = engine.key(packed, tables, packed_start)
            assert keys.setdefault(key, board.key()) == board.key()
            assert engine.key(shuffled(board, rng).pack(), tables, packed_start) == key
            back = engine.board_of_key(key, tables, packed_start)
            assert unpacked(back, board.base).key() == board.key()
        assert len(set(keys.values())) == len(keys)


@pytest.mark.parametrize("seed", range(300))
def test_both_sides_agree_on_any_board(seed: int) -> None:
    board = any_board(seed)
    variant = random.Random(seed).choice(list(PRESETS.values()))
    assert set(native_moves(board, variant)) == set(board.legal_moves(variant))
    tables, packed = tables_for(board, variant), board.pack()
    back = engine.board_of_key(engine.key(packed, tables, packed), tables, packed)
    assert unpacked(back, board.base).key() == board.key()


@pytest.mark.parametrize("run_limit", ["linear", "single"])
def test_both_sides_agree_on_house_run_limits(run_limit: str) -> None:
    variant = FREECELL.replace(run_limit=run_limit)
    for seed in range(300):
        board = random_board(variant, seed)
        assert set(native_moves(board, variant)) == set(board.legal_moves(variant))


# Perft: the number of paths of so many moves.


def perft(board: Board, variant: Variant, depth: int) -> int:
    moves = board.legal_moves(variant)
    if depth == 1:
        return len(moves)
    return sum(perft(board.moved(move), variant, depth - 1) for move in moves)


@pytest.mark.parametrize("case", PERFT, ids=[case["name"] for case in PERFT])
def test_perft(case: dict[str, object]) -> None:
    variant = rules.preset(str(case["variant"]))
    source = case["board"]
    board = (
        deal(source, variant) if isinstance(source, int) else Board.parse(case_text(str(source)))
    )
    paths = case["paths"]
    assert isinstance(paths, list)
    assert engine.perft(board.pack(), tables_for(board, variant), 0) == 1
    for depth, count in enumerate(paths, start=1):
        assert engine.perft(board.pack(), tables_for(board, variant), depth) == count
        if count < 3000:
            assert perft(board, variant, depth) == count


def test_windows_refuse_tables_of_another_size() -> None:
    packed = deal(1).pack()
    for window in (
        lambda: engine.legal_moves(packed, b"short"),
        lambda: engine.perft(packed, b"short", 1),
        lambda: engine.key(packed, b"short", packed),
        lambda: engine.Solver(b"short", 1 << 20),
    ):
        with pytest.raises(ValueError, match="tables hold"):
            window()


def test_the_evaluation_knows_no_order_of_columns_and_what_is_won():
    rng = random.Random(8)
    for seed in range(100):
        board = random_board(seed=seed)
        tables = tables_for(board)
        value = engine.evaluate(board.pack(), tables)
        assert engine.evaluate(shuffled(board, rng).pack(), tables) == value
    nearly = Board.parse("Foundations: H-K C-K D-K S-Q\nFreecells:\n: KS\n" + ":\n" * 7)
    worst = engine.evaluate(deal(617).pack(), tables_for(deal(617)))
    assert engine.evaluate(nearly.pack(), tables_for(nearly)) < worst
