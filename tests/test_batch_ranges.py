"""solve_range(): the same rows whoever solves them, in memory and in files."""

import concurrent.futures
import itertools
import os
import time
from concurrent.futures import BrokenExecutor
from multiprocessing import get_context

import pytest
from batches import HARD, LIMIT

import fcfast
from fcfast import Columns, FcfastError, InvalidDeal, Summary, solve_many, solve_range
from fcfast.batch import folder
from fcfast.batch.chunks import read_chunk
from fcfast.batch.flight import Crew, Pace
from fcfast.batch.ranges import Rows, stream
from fcfast.batch.work import Work
from fcfast.result import unpack_steps


def rows_in(path):
    """The rows of all files in a folder, by number."""
    return Columns.joined(read_chunk(file)[1] for _, _, file in folder.files_of(path))


@pytest.fixture(scope="module")
def expected():
    return solve_range(1, 250, workers=1, **LIMIT)


@pytest.fixture(scope="module")
def solved():
    """With the moves of every solution."""
    return solve_range(1, 250, workers=1, steps=True, **LIMIT)


def test_the_rows_are_the_results_of_solve(expected):
    for row, result in zip(expected.rows(), solve_many(range(1, 251), **LIMIT), strict=True):
        stats = result.stats
        assert row[1:6] == (
            str(result.status),
            result.limit or "",
            stats.moves or 0,
            stats.singles or 0,
            stats.nodes,
        )
    assert list(expected.deal) == list(range(1, 251))
    assert Summary.of(expected).deals == 250


def test_steps():
    columns = solve_range(1, 30, steps=True, workers=2, **LIMIT)
    for row, result in zip(columns.rows(), solve_many(range(1, 31), **LIMIT), strict=True):
        assert unpack_steps(row[7]) == result.moves


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_any_number_of_workers(workers, solved, tmp_path):
    assert_the_same(solved, tmp_path, workers=workers)


def assert_the_same(solved, folder, **workers):
    """Every byte but the times, moves included, whoever works; in memory and in files."""
    options = {"steps": True, **workers, **LIMIT}
    assert solve_range(1, 250, **options).digest() == solved.digest()
    total = solve_range(1, 250, out=folder, chunk=70, **options)
    assert rows_in(folder).digest() == solved.digest()
    assert total.unsolved == Summary.of(solved).unsolved


@pytest.fixture(scope="module")
def pool():
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def process_map():
    with get_context("spawn").Pool(2) as pool:
        yield pool.imap_unordered


@pytest.fixture
def executor(request):
    return map if request.param == "map" else request.getfixturevalue(request.param)


@pytest.mark.parametrize("executor", ["pool", "process_map", "map"], indirect=True)
def test_any_executor(executor, solved, tmp_path):
    assert_the_same(solved, tmp_path, executor=executor)


def test_threads_of_somebody_elses(expected):
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        found = solve_range(1, 250, executor=threads, workers=3, **LIMIT)
        assert found.digest() == expected.digest()
        assert threads.submit(int, "5").result() == 5  # and still open


def test_only_unsolved(expected, tmp_path):
    found = solve_range(1, 250, only="unsolved", **LIMIT)
    assert found == expected.unsolved()
    total = solve_range(1, 250, only="unsolved", out=tmp_path, chunk=100, **LIMIT)
    assert rows_in(tmp_path) == found
    assert (total.deals, total.solved) == (250, 250 - len(found))
    assert total.moves == Summary.of(expected).moves


def test_other_rules():
    found = solve_range(1, 20, variant=fcfast.PENGUIN, cells=5, autoplay="all", **LIMIT)
    results = solve_many(range(1, 21), variant=fcfast.PENGUIN, cells=5, autoplay="all", **LIMIT)
    assert list(found.nodes) == [result.stats.nodes for result in results]


def test_the_last_deals():
    assert list(solve_range(2**33 - 2, 2**33 - 1, **LIMIT).deal) == [2**33 - 2, 2**33 - 1]


def test_no_deals(tmp_path):
    assert len(solve_range(1, 0)) == 0
    assert solve_range(5, 4, out=tmp_path) == Summary()


def test_numpy_numbers():
    numpy = pytest.importorskip("numpy")
    assert list(solve_range(numpy.int32(3), numpy.uint8(4), **LIMIT).deal) == [3, 4]


@pytest.mark.parametrize(
    ("first", "last"), [(0, 5), (-2, 5), (5, 3), (1, 2**33), (1.0, 2), ("1", 2), (None, 1)]
)
def test_wrong_numbers(first, last, tmp_path):
    with pytest.raises(InvalidDeal, match="range"):
        solve_range(first, last)
    with pytest.raises(InvalidDeal, match="range"):
        solve_range(first, last, out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"workers": 0},
        {"chunk": 0},
        {"only": "solved"},
        {"only": "unsolved", "steps": True},
        {"format": "xlsx"},
        {"autoplay": "most"},
        {"node_limit": -1},
        {"executor": "dask"},
    ],
)
def test_wrong_options(options, tmp_path):
    with pytest.raises(FcfastError):
        solve_range(1, 5, out=tmp_path / "new", **options)


def test_progress(expected):
    seen = []
    solve_range(1, 250, progress=lambda total: seen.append(total.deals), workers=2, **LIMIT)
    assert seen == sorted(seen)
    assert seen[-1] == 250
    assert len(seen) > 3


# Hard deals, stopping, and what is in flight


def test_a_hard_deal_holds_up_no_others(tmp_path):
    """Its neighbours are done while it still runs; its time limit ends it."""
    total_at = []
    total = solve_range(
        HARD - 20,
        HARD + 20,
        out=tmp_path,
        time_limit=3,
        workers=2,
        progress=lambda total: total_at.append((time.monotonic(), total.deals)),
    )
    assert total.limits == {"time": 1}
    assert total.unsolved["time"] == [HARD]
    rows = {row[0]: row for row in rows_in(tmp_path).rows()}
    assert 3e6 <= rows[HARD][6] < 4e6
    assert sum(row[6] for row in rows.values()) < 30e6


class Failure(Exception):
    pass


def test_stopping_ends_in_100_ms():
    took = []

    def stop(total):
        took.append(time.perf_counter())
        raise Failure

    for _ in range(3):
        with pytest.raises(Failure):  # the first report comes from the deal beside the hard one
            solve_range(HARD, HARD + 1, workers=2, progress=stop)
        took[-1] = time.perf_counter() - took[-1]
    assert min(took) < 0.1


def test_few_tasks_are_in_flight():
    running, most = set(), 0

    class Counting(concurrent.futures.ThreadPoolExecutor):
        def submit(self, *arguments):
            nonlocal most
            future = super().submit(*arguments)
            running.add(future)
            most = max(most, sum(not future.done() for future in running))
            return future

    with Counting(2) as executor:
        solve_range(1, 400, executor=executor, workers=2, **LIMIT)
    assert 1 <= most <= 4
    assert len(running) > 4


def test_in_order_waits_for_no_more_than_its_turn_allows():
    with Crew(None, 2) as crew:
        given = []
        tasks = ((number, (given.append(number) or number,)) for number in itertools.count())
        found = crew.in_order(float, tasks, ahead=10)
        assert [next(found) for _ in range(30)] == [(number, float(number)) for number in range(30)]
        assert len(given) <= 40
        found.close()


def test_stream_by_number(expected):
    with Crew(None, 8) as crew:
        rows = Rows(Work(**LIMIT), crew.stop)
        found = list(stream(crew, rows, 1, 250, ordered=True))
    assert [begin for begin, _, _ in found] == sorted(begin for begin, _, _ in found)
    assert Columns.joined(columns for _, columns, _ in found) == expected


def test_pace():
    pace = Pace(0.1, 1000)
    for _ in range(20):
        pace.learn(100, 100 * 200)
    assert pace.size == 500
    pace.learn(500, 60_000_000)  # one of them took a minute
    assert pace.size == 1
    for _ in range(20):
        pace.learn(pace.size, pace.size * 30)
    assert pace.size == 1000
    pace.learn(0, 0)
    assert pace.size == 1000


@pytest.mark.skipif(os.name == "nt", reason="kill")
def test_a_process_pool_that_breaks(tmp_path):
    """What was finished stays, and whoever is next goes on from there."""

    def report(total):
        if total.deals >= 1000:
            for process in list(executor._processes.values()):
                process.kill()

    with (
        concurrent.futures.ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor,
        pytest.raises(BrokenExecutor),
    ):
        solve_range(
            1,
            50_000,
            executor=executor,
            workers=2,
            out=tmp_path,
            chunk=500,
            progress=report,
            **LIMIT,
        )
    finished = len(rows_in(tmp_path))
    assert 1000 <= finished < 50_000
    solve_range(1, 50_000, out=tmp_path, chunk=500, **LIMIT)
    assert len(rows_in(tmp_path)) == 50_000


def test_an_error_in_a_worker_is_raised_here(tmp_path):
    with pytest.raises(MemoryError):
        solve_range(1, 5, memory_limit=2**62, workers=2, out=tmp_path)


@pytest.mark.parametrize(("goal", "metric"), [("short", "moves"), ("optimal", "singles")])
def test_short_solutions_in_bulk(goal, metric):
    options = {"goal": goal, "metric": metric, "autoplay": "all", "node_limit": 3000}
    rows = solve_range(2, 6, workers=2, steps=True, **options)
    assert [*rows.deal] == [2, 3, 4, 5, 6]
    for row in rows.rows():
        result = fcfast.solve(row[0], **options)
        solved = result.status is fcfast.Status.SOLVED
        assert row[1:3] == (str(result.status), result.limit or "")
        assert row[3] == (result.stats.moves if solved else 0)
        assert row[-1] == (result.steps if solved else b"")
