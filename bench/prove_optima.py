"""Extends bench/optimal/proved.tsv, the table of proved optima, or repeats the proofs in it.

    python bench/prove_optima.py 1 200 --metric singles
    python bench/prove_optima.py 1 50 --autoplay horne --seconds 60
    python bench/prove_optima.py 1 20 --again

Deals that are in the table are skipped, so a run that was stopped goes on where it was; --again
proves them once more and fails where a length differs. A row: deal, metric, autoplay, length,
positions expanded, seconds of processor time, solution (standard notation; singles in that of
singles).
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from fcfast.autoplay import POLICIES
from fcfast.result import METRICS, Status
from fcfast.solve import solve

TABLE = Path(__file__).parent / "optimal" / "proved.tsv"


class Row(NamedTuple):
    """One proved optimum."""

    deal: int
    metric: str
    autoplay: str
    length: int
    states: int
    seconds: float
    solution: str


def read_table() -> dict[tuple[int, str, str], Row]:
    """The table by deal, metric and autoplay."""
    rows = {}
    for line in TABLE.read_text(encoding="ascii").splitlines()[1:]:
        deal, metric, autoplay, length, states, seconds, solution = line.split("\t")
        row = Row(int(deal), metric, autoplay, int(length), int(states), float(seconds), solution)
        rows[row[:3]] = row
    return rows


def write_table(rows: dict[tuple[int, str, str], Row]) -> None:
    """The table in order, by way of a second file, so that no row is lost."""
    lines = ["\t".join(Row._fields)]
    for row in sorted(rows.values(), key=lambda row: (row.metric, row.autoplay, row.deal)):
        lines.append("\t".join(map(str, row)))
    new = TABLE.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="ascii")
    new.replace(TABLE)


def prove(number: int, metric: str, autoplay: str, seconds: float | None) -> Row | None:
    """The proved optimum of a deal, None where a limit was reached."""
    began = time.process_time()
    result = solve(
        number,
        goal="optimal",
        metric=metric,
        autoplay=autoplay,
        time_limit=seconds,
        memory_limit=4 << 30,
    )
    if result.status is not Status.SOLVED:
        print(f"{number}: {result.status}, {result.limit}, bound {result.stats.lower_bound}")
        return None
    stats = result.stats
    length = stats.singles if metric == "singles" else stats.moves
    style = "singles" if metric == "singles" else "standard"
    return Row(
        number,
        metric,
        autoplay,
        length,
        stats.nodes,
        round(time.process_time() - began, 2),
        result.notation(style),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--metric", choices=METRICS, default="moves")
    parser.add_argument("--autoplay", choices=POLICIES, default="all")
    parser.add_argument("--seconds", type=float, help="give a deal up after this")
    parser.add_argument("--again", action="store_true", help="repeat the proofs in the table")
    options = parser.parse_args()
    autoplay = "safe" if options.metric == "singles" else options.autoplay
    rows = read_table()
    done = []
    for number in range(options.first, options.last + 1):
        key = (number, options.metric, autoplay)
        if (key in rows) != options.again:
            continue
        row = prove(*key, options.seconds)
        if row is None:
            continue
        if options.again and row.length != rows[key].length:
            raise SystemExit(f"{number}: {row.length}, but the table has {rows[key].length}")
        done.append(row)
        print(*row[:6], flush=True)
        if not options.again:
            rows[key] = row
            write_table(rows)
    for name in ("length", "states", "seconds") if done else ():
        values = [getattr(row, name) for row in done]
        print(
            f"{name}: median {statistics.median(values):,.2f}, mean {statistics.mean(values):,.2f},"
            f" most {max(values):,.2f}"
        )


if __name__ == "__main__":
    main()
