"""Short solutions of many deals: average lengths by time or nodes, and a table of the shortest.

    python bench/short_lengths.py 300001 300400 --seconds 0.0015 0.01 0.1
    python bench/short_lengths.py 300001 300400 --nodes 1000 8000 80000
    python bench/short_lengths.py 1 32000 --nodes 100000 --workers 2 --table
    python bench/short_lengths.py 1 32000 --check

Times are of a process that has solved a deal before. In moves with autoplay `all`; deals that
cannot be won under it (1941) are counted under `safe`. A deal for which --nodes are too few counts
with the fast search's solution, and its time.

--table puts the solutions into bench/optimal/short.tsv.xz, one deal a row: deal, length, autoplay,
nodes that were allowed for it at most, solution in standard notation; length 0 for a deal that
cannot be won. Deals that had as many nodes are skipped, so a run that was stopped goes on where it
was; one with more nodes starts from the solutions that are there and looks for shorter ones. Every
solution is replayed by verify() before it goes in, and all of them again by --check.
"""

from __future__ import annotations

import argparse
import lzma
import math
import statistics
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from fcfast.autoplay import Policy
from fcfast.deals import deal
from fcfast.notation import read
from fcfast.result import Result, Status
from fcfast.solve import solve
from fcfast.verify import verify

TABLE = Path(__file__).parent / "optimal" / "short.tsv.xz"
WARM_UP = 1_000_001
SAVED = 200  # deals between two writes of the table


class Row(NamedTuple):
    """The shortest solution known of a deal."""

    deal: int
    length: int
    autoplay: Policy
    nodes: int
    solution: str


def short(number: int, **limits: Any) -> Result:
    """A short solution, under `safe` where there is none under `all`."""
    result = solve(number, goal="short", autoplay="all", **limits)
    if result.status is Status.IMPOSSIBLE:
        result = solve(number, goal="short", autoplay="safe", **limits)
    return result


def short_or_any(number: int, nodes: int) -> Result:
    """A short solution, or where so few nodes give none, any."""
    result = short(number, node_limit=nodes)
    return solve(number, autoplay="all") if result.limit else result


def measure(
    numbers: range, text: str, solved: Callable[[int], Result]
) -> tuple[int, float, float]:
    """How many are solved, moves on average, and seconds a deal; prints them, too."""
    short(WARM_UP, time_limit=0.1)
    started = time.perf_counter()
    results = map(solved, numbers)
    lengths = [result.stats.moves or 0 for result in results if result.moves]
    taken = (time.perf_counter() - started) / len(numbers)
    average = statistics.fmean(lengths) if lengths else math.nan
    print(
        f"{text}: {len(lengths)} of {len(numbers)} solved, average {average:.4f}, "
        f"{1000 * taken:.2f} ms a deal",
        flush=True,
    )
    return len(lengths), average, taken


def read_table() -> dict[int, Row]:
    """The table by deal."""
    rows: dict[int, Row] = {}
    if TABLE.exists():
        for line in lzma.decompress(TABLE.read_bytes()).decode("ascii").splitlines()[1:]:
            number, length, autoplay, nodes, solution = line.split("\t")
            rows[int(number)] = Row(int(number), int(length), autoplay, int(nodes), solution)
    return rows


def write_table(rows: dict[int, Row]) -> None:
    """The table in order, by way of a second file, so that no row is lost."""
    lines = ["\t".join(Row._fields)]
    lines += ["\t".join(map(str, rows[number])) for number in sorted(rows)]
    new = TABLE.with_suffix(".new")
    new.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode("ascii"), preset=6))
    new.replace(TABLE)


def shortened(old: Row, nodes: int) -> Row | None:
    """The row after so many nodes more, None where there is no solution yet."""
    if old.length:
        moves = read(deal(old.deal), old.solution, autoplay=old.autoplay).moves
        result = solve(
            old.deal, goal="short", autoplay=old.autoplay, node_limit=nodes, improve=moves
        )
    else:
        result = short(old.deal, node_limit=nodes)
    if result.status is Status.IMPOSSIBLE:
        return Row(old.deal, 0, result.autoplay, nodes, "-")
    if not result.moves:
        return None
    verify(old.deal, result.moves)
    return Row(old.deal, result.stats.moves or 0, result.autoplay, nodes, result.notation())


def fill(numbers: range, nodes: int, workers: int) -> None:
    """Adds to the table what has not had so many nodes."""
    rows = read_table()
    olds = [rows.get(number, Row(number, 0, "all", 0, "-")) for number in numbers]
    olds = [old for old in olds if old.nodes < nodes]
    with ProcessPoolExecutor(workers) as pool:
        for start in range(0, len(olds), SAVED):
            some = olds[start : start + SAVED]
            found = pool.map(partial(shortened, nodes=nodes), some, chunksize=10)
            for old, row in zip(some, found, strict=True):
                if row is None:
                    print(f"{old.deal}: no solution by {nodes:,} nodes", flush=True)
                else:
                    rows[row.deal] = row
            write_table(rows)
            print(f"to {some[-1].deal}: {summary(rows.values())}", flush=True)


def check(numbers: range) -> None:
    """Replays the table's solutions and counts their moves."""
    rows = [row for number, row in read_table().items() if number in numbers and row.length]
    for row in rows:
        reading = read(deal(row.deal), row.solution, autoplay=row.autoplay)
        verify(row.deal, reading.moves)
        if len(row.solution.split()) != row.length:
            raise SystemExit(f"{row.deal}: not {row.length} moves")
    print(f"replayed: {summary(rows)}")


def summary(rows: Iterable[Row]) -> str:
    """How many, and how long."""
    lengths = [row.length for row in rows if row.length]
    mean = statistics.mean(lengths)
    return f"{len(lengths):,} solutions, {sum(lengths):,} moves, {mean:.4f} each"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--seconds", type=float, nargs="+", default=[], help="a deal")
    parser.add_argument("--nodes", type=int, nargs="+", default=[], help="a deal")
    parser.add_argument("--table", action="store_true", help="with --nodes: add to the table")
    parser.add_argument("--workers", type=int, default=1, help="processes for the table")
    parser.add_argument("--check", action="store_true", help="replay the table's solutions")
    options = parser.parse_args()
    numbers = range(options.first, options.last + 1)
    for seconds in options.seconds:
        measure(numbers, f"{1000 * seconds:g} ms", partial(short, time_limit=seconds))
    for nodes in options.nodes:
        if options.table:
            fill(numbers, nodes, options.workers)
        else:
            measure(numbers, f"{nodes:,} nodes", partial(short_or_any, nodes=nodes))
    if options.check:
        check(numbers)


if __name__ == "__main__":
    main()
