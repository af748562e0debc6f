"""Short solutions of many deals: average lengths by time, and a table that can be resumed.

    python bench/short_lengths.py 300001 300400 --seconds 0.0015 0.01 0.1
    python bench/short_lengths.py 1 32000 --seconds 0.2 --table bench/optimal/short_1_32000.tsv

In moves with autoplay `all`; deals that cannot be won under it (1941) are counted under `safe`.
A row of the table: deal, length, autoplay, solution in standard notation.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from fcfast.result import Result, Status
from fcfast.solve import solve


def short(number: int, seconds: float) -> Result:
    """A short solution, under `safe` where there is none under `all`."""
    result = solve(number, goal="short", autoplay="all", time_limit=seconds)
    if result.status is Status.IMPOSSIBLE:
        result = solve(number, goal="short", autoplay="safe", time_limit=seconds)
    return result


def measure(numbers: range, seconds: float) -> None:
    """Prints what a time limit a deal gives."""
    started = time.perf_counter()
    lengths = [result.stats.moves for n in numbers if (result := short(n, seconds)).moves]
    taken = (time.perf_counter() - started) / len(numbers)
    average = f"{statistics.mean(lengths):.4f}" if lengths else "none"
    print(
        f"{1000 * seconds:g} ms: {len(lengths)} of {len(numbers)} solved, average {average}, "
        f"{1000 * taken:.2f} ms a deal"
    )


def fill(table: Path, numbers: range, seconds: float) -> None:
    """Adds to the table what it does not have."""
    lines = table.read_text(encoding="ascii").splitlines() if table.exists() else []
    done = {int(line.split("\t")[0]): int(line.split("\t")[1]) for line in lines}
    with table.open("a", encoding="ascii") as file:
        for number in numbers:
            if number in done:
                continue
            result = short(number, seconds)
            if not result.moves:
                print(f"{number}: {result.status} {result.limit or ''}")
                continue
            done[number] = result.stats.moves or 0
            print(number, done[number], result.autoplay, result.notation(), sep="\t", file=file)
    total = sum(done[number] for number in numbers if number in done)
    print(f"{len(done)} deals, total {total:,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--seconds", type=float, nargs="+", required=True, help="a deal")
    parser.add_argument("--table", type=Path, help="a file to add solutions to")
    options = parser.parse_args()
    numbers = range(options.first, options.last + 1)
    for seconds in options.seconds:
        if options.table:
            fill(options.table, numbers, seconds)
        else:
            measure(numbers, seconds)


if __name__ == "__main__":
    main()
