"""Proofs at length: run by hand, NOTES.md has what came out.

    python bench/proofs.py impossible            the 130 impossible deals below 10**7: proved,
                                                 certified, checked, and won with a fifth cell
    python bench/proofs.py lists                 0, 1 and 2 cells against the public list, by deal
    python bench/proofs.py fewest                the fewest cells of 1..1000 against that list
    python bench/proofs.py families              deals 1..10000 of each variant against published
                                                 shares; names the deals without a verdict
    python bench/proofs.py versus                fcfast and fc-solve in turn: 2 cells, 1..100, and
                                                 the 130 impossible deals
    python bench/proofs.py large 24795893 --apart --workers 2
                                                 one deal, with --apart twins told apart

Each writes a row a deal into --folder and leaves out the deals that are there, so it may be stopped
at any time; with all rows there it only sums up. Verdicts come in passes: every deal gets a little,
what is still open more, the last pass knows no limit but --memory. Times are of the processor, not
of the clock, so that a busy machine changes them less.
"""

from __future__ import annotations

import argparse
import csv
import math
import resource
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from fcfast.certificate import check
from fcfast.deals import deal
from fcfast.native import engine
from fcfast.proving import fewest_cells, prove
from fcfast.result import Status
from fcfast.rules import FREECELL, Variant, preset, tables
from fcfast.verify import verify

DATA = Path(__file__).parent.parent / "tests" / "data"
GIB = 2**30
PASSES = (1_000_000, 20_000_000, 10**12)
FEWEST = dict(
    enumerate(map(int, (DATA / "fewest_cells_1_8000.txt").read_text().replace("\n", "")), 1)
)
# The presets of fc-solve that try every move; of the others its manual says that they do not.
COMPLETE = "toons-for-twenty-somethings"
OTHER_STATES = 10_000_000  # it says "could not solve" there too
# Winnable per cent and half the width of its 95 % interval: Blake and Gent, JAIR 85:21, tables 1,
# 8 and 9. Cheap ones first.
FAMILIES = (
    (FREECELL, 99.998881, 0.000207),
    (FREECELL.replace(cells=0), 0.2137, 0.0031),
    (FREECELL.replace(cells=3), 99.3583, 0.0162),
    (FREECELL.replace(columns=4), 0.00866, 0.00058),
    (preset("eight_off"), 99.8805, 0.0022),
    (preset("forecell"), 85.617, 0.024),
    (preset("forecell_same_suit"), 10.564, 0.020),
    (preset("seahaven_towers"), 89.332, 0.020),
    (preset("bakers_game"), 75.053, 0.028),
    (FREECELL.replace(cells=1), 19.348, 0.093),
    (FREECELL.replace(columns=7), 98.857, 0.023),
    (FREECELL.replace(columns=5), 3.859, 0.040),
    (FREECELL.replace(cells=2), 79.544, 0.091),
    (FREECELL.replace(columns=6), 61.421, 0.098),
)


class Rows:
    """A file of rows, a deal's number first; its last row counts."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.csv"
        self.of: dict[int, list[str]] = {}
        if self.path.exists():
            with self.path.open(newline="") as file:
                self.of = {int(number): row for number, *row in csv.reader(file)}

    def add(self, number: int, *row: object) -> None:
        self.of[number] = [str(value) for value in row]
        with self.path.open("a", newline="") as file:
            csv.writer(file).writerow([number, *self.of[number]])

    def column(self, index: int) -> list[float]:
        return [float(row[index]) for row in self.of.values()]


def impossible(options: argparse.Namespace) -> None:
    rows = Rows(options.folder, "impossible")
    for number in impossible_deals():
        if number in rows.of:
            continue
        begun = time.process_time()
        result = prove(number, workers=options.workers)
        proving = time.process_time() - begun
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof.fcc"
            certified = prove(number, certificate=path, workers=options.workers)
            size = path.stat().st_size
            begun = time.process_time()
            check(path, number)
            checking = time.process_time() - begun
        if not result.status is certified.status is Status.IMPOSSIBLE:
            raise SystemExit(f"{number}: {result.status}, {certified.status}")
        won = prove(number, cells=5, workers=options.workers)
        verify(won.board, won.moves, won.variant)
        rows.add(number, f"{proving:.4f}", result.stats.nodes, size, f"{checking:.4f}")
    print(f"{len(rows.of)} deals proved, certified, checked, and won with a fifth cell")
    report("proofs", rows.column(0), rows.column(1))
    report("checks", rows.column(3), rows.column(1))
    print(f"{sum(rows.column(2)) / sum(rows.column(1)):.2f} bytes a position in the certificates")


def impossible_deals() -> list[int]:
    return [int(number) for number in (DATA / "impossible_below_1e7.txt").read_text().split()]


def report(name: str, seconds: list[float], states: list[float]) -> None:
    print(
        f"{name}: {1000 * statistics.median(seconds):.1f} ms median, "
        f"{1000 * statistics.mean(seconds):.1f} mean, {1000 * max(seconds):.0f} worst; states "
        f"{statistics.median(states):,.0f} median, {max(states):,.0f} most; "
        f"{sum(states) / sum(seconds):,.0f} states a second",
        flush=True,
    )


def name_of(variant: Variant) -> str:
    return f"{variant.name}-{variant.columns}-columns-{variant.cells}-cells"


def verdicts(
    options: argparse.Namespace, variant: Variant, numbers: range, passes: Sequence[int] = PASSES
) -> dict[int, str]:
    """The verdict on each deal; prints how many there are of each, and the deals without one."""
    name = name_of(variant)
    rows = Rows(options.folder, name)
    for most in passes:
        for number in numbers:
            if number in rows.of:
                verdict, tried, *_ = rows.of[number]
                if verdict != "limit" or int(tried) >= most:
                    continue
            begun = time.process_time()
            result = prove(
                number,
                variant=variant,
                memory_limit=int(options.memory * GIB),
                node_limit=most,
                workers=options.workers,
            )
            took = f"{time.process_time() - begun:.3f}"
            rows.add(number, result.status, most, result.stats.nodes, took)
    found = {number: rows.of[number] for number in numbers}
    seconds = [float(row[3]) for row in found.values()]
    counts = dict(Counter(row[0] for row in found.values()))
    print(
        f"{name}, {numbers[0]} to {numbers[-1]}: {counts}; "
        f"without a verdict {[number for number, row in found.items() if row[0] == 'limit']}; "
        f"{sum(seconds):.0f} s, the longest {max(seconds):.1f}",
        flush=True,
    )
    return {number: row[0] for number, row in found.items()}


def lists(options: argparse.Namespace) -> None:
    for cells, last in (0, 500), (1, 500), (2, 2000):
        numbers = range(1, last + 1)
        found = verdicts(options, FREECELL.replace(cells=cells), numbers)
        wrong = [
            n for n in numbers if found[n] != ("solved" if FEWEST[n] <= cells else "impossible")
        ]
        print(f"other than in the list: {wrong}", flush=True)


def families(options: argparse.Namespace) -> None:
    count = options.last or 10_000
    chosen = [
        family for family in FAMILIES if name_of(family[0]) in options.only or not options.only
    ]
    for most, (variant, share, half) in product(PASSES, chosen):
        found = verdicts(options, variant, range(1, count + 1), [most])
        won = sum(verdict == "solved" for verdict in found.values())
        unknown = sum(verdict == "limit" for verdict in found.values())
        wide = half + 196 * math.sqrt(share / 100 * (1 - share / 100) / count)
        least, most_won = 100 * won / count, 100 * (won + unknown) / count
        inside = share - wide <= least and most_won <= share + wide
        print(
            f"    {least:.2f} to {most_won:.2f} % winnable, published {share} +- {half}, with the "
            f"sample's own width +- {wide:.2f}: {'inside' if inside else 'OUTSIDE'}",
            flush=True,
        )


def fewest(options: argparse.Namespace) -> None:
    rows = Rows(options.folder, "fewest")
    numbers = range(options.first or 1, (options.last or 1000) + 1)
    for number in numbers:
        if number not in rows.of:
            begun = time.process_time()
            cells = fewest_cells(
                number, memory_limit=int(options.memory * GIB), workers=options.workers
            )
            rows.add(number, cells, f"{time.process_time() - begun:.3f}")
    found = {number: rows.of[number][0] for number in numbers}
    took = [float(rows.of[number][1]) for number in numbers]
    print(
        f"{dict(Counter(found.values()))}, other than in the list: "
        f"{[number for number in numbers if found[number] != str(FEWEST[number])]}; "
        f"{sum(took):.0f} s, the longest {max(took):.1f}"
    )


def versus(options: argparse.Namespace) -> None:
    for cells, numbers in (4, impossible_deals()), (2, range(1, 101)):
        rows = Rows(options.folder, f"versus-{cells}-cells")
        for number in numbers:
            if number in rows.of:
                continue
            begun = time.process_time()
            result = prove(
                number, cells=cells, memory_limit=int(options.memory * GIB), workers=options.workers
            )
            took = time.process_time() - begun
            theirs = fc_solve(number, cells)
            rows.add(number, f"{took:.4f}", result.stats.nodes, result.status, *theirs)
        print(f"{cells} cells: {Counter((row[2], row[5]) for row in rows.of.values())}")
        report("fcfast", rows.column(0), rows.column(1))
        report("fc-solve", rows.column(3), rows.column(4))


def fc_solve(number: int, cells: int) -> tuple[str, int, str]:
    """Processor seconds, states, verdict."""
    line = [
        "fc-solve",
        "-l",
        COMPLETE,
        "--freecells-num",
        str(cells),
        "-mi",
        str(OTHER_STATES),
        "-",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(line, input=deal(number).to_text(), capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    states = int(done.stdout.partition("states checked is ")[2].partition(".")[0] or 0)
    verdict = "limit"
    if "This game is solveable" in done.stdout:
        verdict = "solved"
    elif "I could not solve" in done.stdout and states < OTHER_STATES:
        verdict = "impossible"
    return f"{took:.4f}", states, verdict


def large(options: argparse.Namespace) -> None:
    number, memory = options.first or 24795893, int(options.memory * GIB)
    begun, clock = time.process_time(), time.monotonic()
    if options.apart:
        prover = engine.Prover(tables(FREECELL, 8, 4), memory, options.workers)
        prover.begin(deal(number).pack())
        status, limit, nodes, _ = prover.run()
        table_bytes = prover.table_bytes
        verdict = limit or ("impossible" if status == engine.IMPOSSIBLE else "solved")
    else:
        result = prove(
            number, memory_limit=memory, workers=options.workers, folder=options.spill
        )
        nodes, table_bytes = result.stats.nodes, result.stats.table_bytes
        verdict = result.limit or result.status
    took = time.process_time() - begun
    print(
        f"{number}: {verdict}, {nodes:,} states, {took:.1f} s of processor, "
        f"{time.monotonic() - clock:.1f} s of clock, {nodes / took:,.0f} states a second, "
        f"{table_bytes / nodes:.1f} bytes of table a state"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = {part.__name__: part for part in (impossible, lists, fewest, families, versus, large)}
    parser.add_argument("part", choices=parts)
    parser.add_argument("first", type=int, nargs="?")
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--folder", type=Path, default=Path("proofs"), help="for the rows")
    names = [name_of(family[0]) for family in FAMILIES]
    parser.add_argument("--only", choices=names, nargs="+", default=[], help="families: these")
    parser.add_argument("--memory", type=float, default=8, help="GiB")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--apart", action="store_true", help="large: tell twins apart")
    parser.add_argument("--spill", type=Path, help="large: a folder for what memory cannot hold")
    options = parser.parse_args()
    parts[options.part](options)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{peak:,} MB of memory at the peak")


if __name__ == "__main__":
    main()
