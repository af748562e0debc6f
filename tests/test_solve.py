"""solve(): verdicts against known answers, limits, interruption, threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from positions import case_text

import fcfast
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import FcfastError, InvalidBoard, InvalidDeal
from fcfast.result import Status
from fcfast.rules import BAKERS_GAME, FREECELL, PRESETS, RELAXED_FREECELL, Variant, preset
from fcfast.solve import solve
from fcfast.verify import verify

DATA = Path(__file__).parent / "data"
IMPOSSIBLE = [11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948]
HARD = 472883268  # impossible: 45,250,363 positions, over five million with fours alike
FEWEST_CELLS = {
    int(number): int(cells)
    for number, cells in (
        line.split() for line in (DATA / "min_cells_1_200.txt").read_text().splitlines()
    )
}


@pytest.mark.parametrize("number", range(1, 201))
def test_first_deals_are_solved_and_the_judge_agrees(number: int) -> None:
    result = solve(number)
    assert result.status is Status.SOLVED
    verify(deal(number), result.moves)


@pytest.mark.parametrize("number", IMPOSSIBLE)
def test_impossible_deals(number: int) -> None:
    result = solve(number)
    assert result.status is Status.IMPOSSIBLE
    assert result.moves == ()
    with_five = solve(number, cells=5)
    assert with_five.status is Status.SOLVED
    verify(deal(number).with_cells(5), with_five.moves, FREECELL.replace(cells=5))


@pytest.mark.parametrize("number", [1941, 98714])
def test_deals_lost_under_autoplay_of_everything_are_still_won(number: int) -> None:
    verify(deal(number), solve(number).moves)
    assert solve(number, autoplay="all").status is Status.IMPOSSIBLE


@pytest.mark.parametrize("number", [-1, -2])
def test_joke_deals_are_impossible(number: int) -> None:
    assert solve(number).status is Status.IMPOSSIBLE


@pytest.mark.parametrize("cells", range(4))
def test_few_cells_give_the_known_verdict_or_a_limit(cells: int) -> None:
    settled = 0
    for number, fewest in FEWEST_CELLS.items():
        result = solve(number, cells=cells, node_limit=20_000)
        if result.status is Status.LIMIT:
            continue
        settled += 1
        assert (result.status is Status.SOLVED) == (fewest <= cells), number
        if result.status is Status.SOLVED:
            verify(deal(number).with_cells(cells), result.moves, FREECELL.replace(cells=cells))
    assert settled > 100


@pytest.mark.parametrize("variant", PRESETS.values(), ids=PRESETS)
def test_every_variant_solves_and_the_judge_agrees(variant: Variant) -> None:
    verdicts = set()
    for number in range(1, 31):
        result = solve(number, variant=variant, node_limit=50_000)
        verdicts.add(result.status)
        if result.status is Status.SOLVED:
            verify(deal(number, variant), result.moves, variant)
    assert Status.SOLVED in verdicts or variant.name == "forecell_same_suit"


def test_runs_of_any_length_win_the_impossible_deal() -> None:
    result = solve(11982, variant=RELAXED_FREECELL)
    assert result.status is Status.SOLVED
    verify(deal(11982, RELAXED_FREECELL), result.moves, RELAXED_FREECELL)
    with pytest.raises(fcfast.BadSolution):
        verify(deal(11982), result.moves, FREECELL)


def test_boards_of_the_case_log() -> None:
    assert solve(case_text("20")).status is Status.SOLVED
    assert solve(Board.parse(case_text("21"), cells=2)).status is Status.SOLVED
    assert solve(case_text("12")).status is Status.IMPOSSIBLE
    assert solve(case_text("28")).status is Status.SOLVED
    small = FREECELL.replace(columns=4, cells=1)
    assert solve(case_text("72a-simple-solvable"), variant=small).status is Status.SOLVED
    assert solve(case_text("72c-simple-unsolvable"), variant=small).status is Status.IMPOSSIBLE
    assert solve(1, cells=0).status is Status.IMPOSSIBLE


def test_a_won_board_needs_no_move() -> None:
    result = solve(Board([()] * 8, foundations=(13, 13, 13, 13)))
    assert (result.status, result.moves, result.stats.moves) == (Status.SOLVED, (), 0)


def test_what_may_be_solved_and_what_not() -> None:
    assert solve("ms24").board == solve(24).board == solve(str(deal(24))).board
    for source, error in (
        (0, InvalidDeal),
        (True, InvalidDeal),
        (2**33, InvalidDeal),
        ("0", InvalidDeal),
        ("ms-3", InvalidDeal),
        ("", InvalidBoard),
        ("AC AD", InvalidBoard),
    ):
        with pytest.raises(error):
            solve(source)
    for options in (
        {"goal": "best"},
        {"metric": "cards"},
        {"autoplay": "some"},
        {"node_limit": -1},
        {"time_limit": float("nan")},
        {"cells": 11},
    ):
        with pytest.raises(FcfastError):
            solve(1, **options)


def test_a_board_keeps_its_cells_unless_told() -> None:
    two = deal(617).with_cells(2)
    assert len(solve(two, node_limit=0).board.cells) == 2
    assert len(solve(deal(617), variant=BAKERS_GAME, node_limit=0).board.cells) == 4
    assert len(solve(two, cells=6, node_limit=0).board.cells) == 6


# Limits


@pytest.mark.parametrize("limit", [0, 1, 10, 100, 1000])
def test_the_node_limit_is_exact(limit: int) -> None:
    result = solve(1941, node_limit=limit)
    assert (result.status, result.limit) == (Status.LIMIT, "nodes")
    assert result.stats.nodes == limit
    assert result.moves == ()
    assert result.stats.moves is None


def test_the_time_limit_stops() -> None:
    result = solve(HARD, time_limit=0.0)
    assert (result.status, result.limit, result.stats.nodes) == (Status.LIMIT, "time", 0)


def test_the_memory_limit_is_kept() -> None:
    result = solve(HARD, memory_limit=2**17)
    assert (result.status, result.limit) == (Status.LIMIT, "memory")
    assert 2**16 < result.stats.table_bytes <= 2**17


def test_a_deal_of_65_million_positions_if_twins_are_told_apart() -> None:
    for limit in (None, 131_072, 200_000):
        result = solve(24795893, node_limit=limit, memory_limit=2**25)
        assert result.limit == ("nodes" if limit else None)
        assert result.status is (Status.LIMIT if limit else Status.IMPOSSIBLE)
        assert result.stats.nodes == (limit or result.stats.nodes) < 500_000
        assert result.stats.table_bytes <= 2**25


def test_a_proof_where_the_memory_is_too_small_for_solutions() -> None:
    # 61,643 positions take 2.5 MB with what leads to them, and 256 KB without.
    for _ in range(2):
        result = solve(11982, memory_limit=300_000)
        assert (result.status, result.limit) == (Status.IMPOSSIBLE, None)
        assert result.stats.table_bytes <= 300_000
        assert solve(617, memory_limit=300_000).status is Status.SOLVED
    columns = fcfast.solve_range(11981, 11983, memory_limit=300_000)
    assert list(columns.status) == [0, 1, 0]


def test_a_win_that_the_lean_search_meets_is_no_win_without_its_moves() -> None:
    rules = preset("kings_only_bakers_game")
    result = solve(1115, variant=rules, memory_limit=2**16)
    assert (result.status, result.limit) == (Status.LIMIT, "memory")
    assert solve(1115, variant=rules, memory_limit=2**24).status is Status.SOLVED


def test_verdicts_do_not_depend_on_the_memory_limit() -> None:
    small, large = (solve(617, memory_limit=limit) for limit in (2**25, 2**30))
    assert small.moves == large.moves
    assert small.stats.nodes == large.stats.nodes


def test_tiny_limits_never_lie() -> None:
    for number in range(1, 1001):
        result = solve(number, node_limit=5)
        assert result.status is Status.LIMIT or len(result.moves) >= 52


# Interruption


def test_cancel_stops_the_search() -> None:
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    result = solve(HARD, cancel=cancel)
    assert (result.status, result.limit) == (Status.LIMIT, "cancelled")


def test_what_progress_raises_comes_through() -> None:
    def progress(stage: str, nodes: int, table_bytes: int) -> None:
        raise RuntimeError(f"{stage} at {nodes}")

    with pytest.raises(RuntimeError, match=r"\w+ at \d+"):
        solve(HARD, progress=progress)


def test_progress_may_solve() -> None:
    verdicts = []

    def progress(stage: str, nodes: int, table_bytes: int) -> None:
        verdicts.append(solve(2).status)

    solve(HARD, node_limit=100_000, progress=progress)
    assert set(verdicts) == {Status.SOLVED}


@pytest.mark.skipif(os.name == "nt", reason="signals are sent with os.kill")
def test_ctrl_c_stops_the_search() -> None:
    code = f"import fcfast; print('ready', flush=True); fcfast.solve({HARD})"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors


# Threads


def test_ten_threads_give_what_one_gives() -> None:
    numbers = [*range(1, 41), 11982, 146692]
    alone = [solve(number) for number in numbers]
    with ThreadPoolExecutor(10) as pool:
        together = list(pool.map(solve, numbers))
    for one, other in zip(alone, together, strict=True):
        assert one.moves == other.moves
        assert one.stats.nodes == other.stats.nodes
