"""Speed of the parts: ``pytest bench``. Compare two states of the code with --benchmark-compare.

Not a test: nothing here fails for being slow. extra_info holds what a name cannot: nanoseconds a
child, nodes searched, and the signature (conftest.py).
"""

from __future__ import annotations

import fcfast
from fcfast import rules
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.native import engine
from fcfast.rules import FREECELL
from fcfast.verify import verify

TABLES = rules.tables(FREECELL, 8, 4)
BOARD = deal(617)
PACKED = BOARD.pack()
TEXT = str(BOARD)


def test_deal(benchmark):
    benchmark(deal, 617)


def test_parse(benchmark):
    assert benchmark(Board.parse, TEXT) == BOARD


def test_print(benchmark):
    assert benchmark(str, BOARD) == TEXT


def test_board_key(benchmark):
    benchmark(BOARD.key)


def test_native_evaluate(benchmark):
    benchmark(engine.evaluate, PACKED, TABLES)


def test_native_key(benchmark):
    benchmark(engine.key, PACKED, TABLES, PACKED)


def test_legal_moves(benchmark):
    benchmark(BOARD.legal_moves)


def test_native_legal_moves(benchmark):
    benchmark(engine.legal_moves, PACKED, TABLES)


def test_perft(benchmark):
    children = benchmark(engine.perft, PACKED, TABLES, 5)
    benchmark.extra_info["children"] = children
    benchmark.extra_info["ns_per_child"] = 1e9 * benchmark.stats.stats.median / children


def test_solve(benchmark):
    deals = range(40001, 40051)
    results = benchmark(lambda: [fcfast.solve(number) for number in deals])
    benchmark.extra_info["us_per_deal"] = 1e6 * benchmark.stats.stats.median / len(deals)
    benchmark.extra_info["nodes"] = sum(result.stats.nodes for result in results)


def test_prove(benchmark):
    result = benchmark(fcfast.solve, 11982)
    benchmark.extra_info["nodes"] = result.stats.nodes
    benchmark.extra_info["bytes_per_node"] = result.stats.table_bytes / result.stats.nodes


def test_native_replay(benchmark):
    steps = fcfast.solve(617).steps
    assert benchmark(engine.replay_steps, PACKED, TABLES, steps)


def test_verify(benchmark):
    moves = fcfast.solve(617).moves
    benchmark(verify, BOARD, moves)
