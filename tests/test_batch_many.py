"""solve_many(): the Results that solve() gives, in order, lazily; what is wrong is named."""

import itertools
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from batches import HARD, LIMIT

import fcfast
from fcfast import FcfastError, InvalidBoard, InvalidDeal, Status, deal, solve, solve_many
from fcfast.board import Board

MIXED = [5, "6", "ms7", deal(8), deal(9).to_text(), -1, -2, 2**33 - 1, deal(3, fcfast.EIGHT_OFF)]


def facts(result):
    """All of a Result but the time it took and the memory that a Solver happened to hold."""
    stats = result.stats
    return (
        result.board,
        result.variant,
        result.status,
        result.limit,
        result.autoplay,
        result.steps,
        (stats.nodes, stats.moves, stats.singles, stats.lower_bound, stats.proved, stats.stage),
    )


def all_facts(results):
    return [facts(result) for result in results]


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_the_results_of_solve(workers):
    deals = [*MIXED, *range(1, 60)]
    assert all_facts(solve_many(deals, workers=workers, **LIMIT)) == all_facts(
        solve(deal, **LIMIT) for deal in deals
    )


@pytest.mark.parametrize("variant", [fcfast.PENGUIN, fcfast.SEAHAVEN_TOWERS])
def test_other_rules(variant):
    options = {"variant": variant, "autoplay": "off", **LIMIT}
    assert all_facts(solve_many(range(1, 9), **options)) == [
        facts(solve(number, **options)) for number in range(1, 9)
    ]


def test_other_cells():
    deals = [1, deal(2), deal(3).to_text()]
    found = list(solve_many(deals, cells=6, **LIMIT))
    assert all_facts(found) == [facts(solve(deal, cells=6, **LIMIT)) for deal in deals]
    assert {len(result.board.cells) for result in found} == {6}


def test_solutions_win():
    for result in solve_many(range(1, 20), **LIMIT):
        if result.status is Status.SOLVED:
            fcfast.verify(result.board, result.moves)


def test_unsorted_with_duplicates():
    numbers = [9, 2, 2, 9, 1, 2]
    results = list(solve_many(iter(numbers), **LIMIT))
    assert [result.board for result in results] == [deal(number) for number in numbers]
    assert facts(results[1]) == facts(results[2]) == facts(results[5])


def test_nothing():
    assert list(solve_many([])) == []
    assert list(solve_many(iter(()))) == []
    assert list(solve_many(range(5, 5))) == []


def test_numpy_numbers():
    numpy = pytest.importorskip("numpy")
    numbers = numpy.array([3, 1, 2], dtype="u4")
    assert all_facts(solve_many(numbers, **LIMIT)) == all_facts(solve_many([3, 1, 2], **LIMIT))


def test_it_reads_no_more_than_it_needs():
    read = []
    results = solve_many((read.append(number) or number for number in itertools.count(1)), **LIMIT)
    assert not read
    for _ in range(20):
        next(results)
    results.close()
    assert 20 <= len(read) < 200_000


# What is wrong


def test_one_bad_number_in_a_million_and_nothing_is_started():
    numbers = [*range(1, 1_000_001)]
    numbers[765_432] = 0
    with pytest.raises(InvalidDeal, match=r"^deals\[765432\]: no deal 0: "):
        solve_many(numbers)


@pytest.mark.parametrize("wrong", [2**33, 0, -3, 1.5, True, None, "ms0", "8589934592", b"5"])
def test_a_list_is_looked_through_first(wrong):
    with pytest.raises(InvalidDeal, match=r"^deals\[2\]: no deal"):
        solve_many([1, 2, wrong, 4])


def test_a_range_too():
    with pytest.raises(InvalidDeal, match="no deal 8589934593"):
        solve_many(range(2**33 - 5, 2**33 + 2))
    with pytest.raises(InvalidDeal, match=r"deals\[2\]: no deal 0"):
        solve_many(range(2, -1, -1))


@pytest.mark.parametrize(
    ("wrong", "error"), [(0, InvalidDeal), ("AC 2C", InvalidBoard), ("", InvalidBoard)]
)
def test_in_an_iterator_it_comes_after_all_before_it(wrong, error):
    results = solve_many(iter([1, 2, 3, wrong, 5]), **LIMIT)
    assert all_facts(itertools.islice(results, 3)) == all_facts(solve_many([1, 2, 3], **LIMIT))
    with pytest.raises(error, match=r"^deals\[3\]: "):
        next(results)
    assert list(results) == []


def test_every_fault_of_a_bad_board_is_kept():
    with pytest.raises(InvalidBoard) as caught:
        list(solve_many([1, "AC 2C\nAC 9X"], **LIMIT))
    with pytest.raises(InvalidBoard) as alone:
        Board.parse("AC 2C\nAC 9X")
    assert caught.value.faults == tuple(f"deals[1]: {fault}" for fault in alone.value.faults)


def test_what_the_iterator_raises_is_raised():
    def broken():
        yield 1
        raise ZeroDivisionError

    results = solve_many(broken(), **LIMIT)
    next(results)
    with pytest.raises(ZeroDivisionError):
        next(results)


@pytest.mark.parametrize(
    "options",
    [
        {"workers": 0},
        {"node_limit": -1},
        {"time_limit": -0.1},
        {"autoplay": "most"},
        {"executor": 5},
        {"cells": 11},
    ],
)
def test_wrong_options(options):
    with pytest.raises(FcfastError):
        solve_many([1], **options)


def test_a_text_is_not_many_deals():
    with pytest.raises(FcfastError, match="a list"):
        solve_many("617")


# Stopping


def fcfast_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("fcfast")]


def test_closing_stops_at_once():
    """With a deal of minutes at work. Of three tries one is not disturbed by other programs."""
    took = []
    for _ in range(3):
        results = solve_many(itertools.chain([1], itertools.repeat(HARD)), workers=2)
        next(results)
        begun = time.perf_counter()
        results.close()
        took.append(time.perf_counter() - begun)
        assert not fcfast_threads()
    assert min(took) < 0.1


def test_a_hard_deal_holds_up_none_behind_it():
    """They are solved while it is; a time limit ends it."""
    deals = [HARD, *range(1, 30)]
    results = solve_many(deals, workers=2, time_limit=2)
    first = next(results)
    begun = time.perf_counter()
    assert (first.status, first.limit) == (Status.LIMIT, "time")
    assert 2 <= first.stats.seconds < 3
    done = [next(results) for _ in range(3)]
    assert time.perf_counter() - begun < 1
    results.close()
    assert [result.board for result in done] == [deal(number) for number in deals[1:4]]


SCRIPT = """
import itertools, os, signal, threading, time
import fcfast
from fcfast import solve_many

results = solve_many(itertools.chain([1, 2], itertools.repeat({hard})), workers=2)
kept = []
try:
    for result in results:
        kept.append(result.status)
        if len(kept) == 2:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            sent = time.perf_counter() + 0.3
except KeyboardInterrupt:
    print(len(kept), time.perf_counter() - sent, [t.name for t in threading.enumerate()])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c():
    took = []
    for _ in range(3):
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(hard=HARD)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        kept, seconds, threads = ran.stdout.split(maxsplit=2)
        assert (int(kept), threads) == (2, "['MainThread']\n")
        took.append(float(seconds))
    assert min(took) < 0.1


def test_an_iterator_that_nobody_closes_does_not_keep_python_from_its_end():
    script = (
        "import fcfast, itertools\n"
        f"results = fcfast.solve_many(itertools.chain([1], itertools.repeat({HARD})))\n"
        "print(next(results).status)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=30)
    assert (ran.stdout, ran.stderr, ran.returncode) == (b"solved\n", b"", 0)


# Elsewhere


def test_a_process_pool():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert all_facts(solve_many(MIXED * 3, executor=pool, **LIMIT)) == all_facts(
            solve_many(MIXED * 3, **LIMIT)
        )


def test_map():
    assert all_facts(solve_many(MIXED, executor=map, **LIMIT)) == all_facts(
        solve_many(MIXED, **LIMIT)
    )
