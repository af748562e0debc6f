"""What bulk solving costs beyond the engine, and how it uses two cores.

Python's part of a deal is measured with made-up answers, so that all that runs is Python, and in
processor time: exact, however fast the search is and whatever else is running. Against the real
engine it is compared turn by turn, the median of five pairs.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from array import array
from pathlib import Path

import pytest

from fcfast import Columns, solve_many, solve_range
from fcfast.batch.work import Stop, Work

DEALS = 1_000_000
MANY = 50_000
REAL = 20_000
SHARED = 120_000  # some seconds on two cores, so that importing pyarrow does not count
NODES = array("Q", random.Random(1).choices(range(20, 5000), k=1 << 14))


processor_time = pytest.mark.benchmark(timer=time.process_time)


@pytest.fixture
def made_up(monkeypatch):
    """The engine answers at once: solved, 70 moves, 110 movements."""

    def solve_numbers(work, numbers, stop):
        count = len(numbers)
        columns = Columns(
            deal=numbers,
            status=array("B", bytes(count)),
            limit=array("B", bytes(count)),
            moves=array("I", [70]) * count,
            singles=array("I", [160]) * count,
            nodes=(NODES * (count // len(NODES) + 1))[:count],
            microseconds=array("Q", [30]) * count,
        )
        if work.steps:
            columns.lengths, columns.steps = array("I", [330]) * count, bytes(330 * count)
        return columns, (array("B", bytes(count)), array("Q", [1 << 20]) * count)

    monkeypatch.setattr(Work, "solve_numbers", solve_numbers)


def microseconds(benchmark, deals):
    """A deal's share of the median run."""
    found = 1e6 * benchmark.stats.stats.median / deals
    benchmark.extra_info["microseconds_a_deal"] = round(found, 3)
    return found


@processor_time
def test_python_in_solve_range(benchmark, made_up):
    """The promise is 0.5 us."""
    benchmark.pedantic(solve_range, (1, DEALS), {"workers": 1}, rounds=5)
    assert microseconds(benchmark, DEALS) < 0.5


@processor_time
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_python_in_solve_range_to_files(benchmark, made_up, tmp_path_factory, format):
    """Written and synced."""
    if format == "parquet":
        pytest.importorskip("pyarrow")

    def fresh():
        out = tmp_path_factory.mktemp("out")
        return (1, DEALS), {"workers": 1, "out": out, "format": format}

    benchmark.pedantic(solve_range, setup=fresh, rounds=5)
    assert microseconds(benchmark, DEALS) < 0.5


@processor_time
def test_python_in_solve_many(benchmark, made_up):
    """The promise is 15 us, Boards and Results included."""
    benchmark.pedantic(lambda: [None for _ in solve_many(range(1, MANY + 1), workers=1)], rounds=5)
    assert microseconds(benchmark, MANY) < 15


def engine_alone(first, last):
    Work().solve_range(first, last, Stop())


def timed(run, *arguments, clock=time.perf_counter, **options):
    begun = clock()
    run(*arguments, **options)
    return clock() - begun


@processor_time
def test_against_the_engine_alone(benchmark):
    """On one core, in memory."""
    alone, whole = [], []
    for _ in range(5):
        alone.append(timed(engine_alone, 1, REAL, clock=time.process_time))
        whole.append(timed(solve_range, 1, REAL, workers=1, clock=time.process_time))
    for name, seconds in (("engine", alone), ("solve_range", whole)):
        benchmark.extra_info[f"{name}_us"] = round(1e6 * statistics.median(seconds) / REAL, 2)
    benchmark.pedantic(solve_range, (1, REAL), {"workers": 1}, rounds=1)


ALONE = """
import sys, time
from fcfast.batch.work import Stop, Work
first, last = int(sys.argv[1]), int(sys.argv[2])
Work().solve_range(first, first + 100, Stop())
input()
begun = time.perf_counter()
Work().solve_range(first, last, Stop())
print(time.perf_counter() - begun)
"""


def two_engines():
    """Deals a second of two processes that do nothing but call the engine, added up."""
    halves = (1, SHARED // 2), (SHARED // 2 + 1, SHARED)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", ALONE, *map(str, half)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for half in halves
    ]
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    return sum(SHARED / 2 / float(process.communicate()[0]) for process in running)


def test_two_cores(benchmark, tmp_path_factory):
    """Two threads writing a folder against two engines in processes of their own; the promise is
    90 % of their speed."""

    def folder():
        return timed(
            solve_range, 1, SHARED, workers=2, out=tmp_path_factory.mktemp("out"), chunk=SHARED // 3
        )

    shares = [SHARED / folder() / two_engines() for _ in range(5)]
    benchmark.extra_info["share_of_two_engines"] = round(statistics.median(shares), 3)
    benchmark.pedantic(folder, rounds=1)
    assert statistics.median(shares) > 0.9


IMPOSSIBLE = [11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads memory as Linux shows it")
def test_a_million(benchmark, tmp_path):
    """The first million deals on two cores: exactly eight are impossible, none meets a limit,
    memory stays within 50 MiB, and a second start does nothing."""
    command = [sys.executable, "-m", "fcfast", "range", "1", "1000000", "--workers", "2"]
    command += ["--out", str(tmp_path), "--json"]
    held = []

    def run():
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            while len(list(tmp_path.glob("0*"))) < 1:  # the first tenth fills what is reused
                time.sleep(0.1)
            while process.poll() is None:
                pages = Path(f"/proc/{process.pid}/statm").read_text().split()
                held.append(int(pages[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 if pages else 0)
                time.sleep(0.1)
            return json.load(process.stdout)

    total = benchmark.pedantic(run, rounds=1)
    held = [size for size in held if size]  # none once it has ended
    benchmark.extra_info["mib"] = f"{min(held):.0f} to {max(held):.0f}"
    benchmark.extra_info["deals_per_second"] = round(1e6 / total["seconds"])
    assert (total["deals"], total["solved"], total["limits"]) == (1_000_000, 999_992, {})
    assert total["unsolved"] == {"impossible": IMPOSSIBLE}
    assert max(held) - min(held) < 50

    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("0*")}
    again = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert again["resumed"] == 1_000_000
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("0*")} == before
