"""Proofs at length: run by hand, one part at a time; NOTES.md has what came out.

    python bench/proofs.py impossible --other       the 130 impossible deals below 10**7
    python bench/proofs.py versus 1 100 --cells 2   verdicts, times, states of both programs
    python bench/proofs.py fewest 1 1000            the fewest cells, against the public data set
    python bench/proofs.py verdicts 1 2000 --cells 2
    python bench/proofs.py verdicts 1 10000 --variant bakers_game
    python bench/proofs.py large 24795893 --memory 4 --workers 2

Times are of the processor, not of the clock, so that a busy machine does not change them.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from fcfast.certificate import check
from fcfast.deals import deal
from fcfast.proving import fewest_cells, prove
from fcfast.result import Status
from fcfast.rules import preset
from fcfast.verify import verify

DATA = Path(__file__).parent.parent / "tests" / "data"
GIB = 2**30
# The presets of fc-solve that try every move; of the others its manual says that they do not.
COMPLETE = "toons-for-twenty-somethings"


def impossible(options: argparse.Namespace) -> None:
    """Proves, certifies and checks, and wins with a cell more."""
    rows = []
    sizes = []
    for number in map(int, (DATA / "impossible_below_1e7.txt").read_text().split()):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof.fcc"
            begun = time.process_time()
            result = prove(number)
            took = time.process_time() - begun
            assert result.status is Status.IMPOSSIBLE, number
            assert prove(number, certificate=path).status is Status.IMPOSSIBLE
            sizes.append(path.stat().st_size / result.stats.nodes)
            check(path, number)
        won = prove(number, cells=5)
        verify(won.board, won.moves, won.variant)
        rows.append((took, result.stats.nodes, *(fc_solve(number, 4) if options.other else ())))
    report("fcfast", [row[:2] for row in rows])
    print(f"bytes a position in a certificate: median {statistics.median(sizes):.2f}")
    if options.other:
        report("fc-solve", [row[2:4] for row in rows])


def versus(options: argparse.Namespace) -> None:
    """Both programs on the same deals."""
    ours, theirs, verdicts = [], [], Counter()
    for number in range(options.first, options.last + 1):
        begun = time.process_time()
        result = prove(number, cells=options.cells, memory_limit=4 * GIB)
        took = time.process_time() - begun
        other = fc_solve(number, options.cells)
        verdicts[result.status.value, other[2]] += 1
        ours.append((took, result.stats.nodes))
        theirs.append(other[:2])
    print(dict(verdicts))
    report("fcfast", ours)
    report("fc-solve", theirs)


def fc_solve(number: int, cells: int) -> tuple[float, int, str]:
    """Processor seconds, states, verdict; a million states at most."""
    line = ["fc-solve", "-l", COMPLETE, "--freecells-num", str(cells), "-mi", "1000000", "-"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(line, input=deal(number).to_text(), capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    states = int(done.stdout.partition("states checked is ")[2].partition(".")[0] or 0)
    verdict = "limit"
    if "This game is solveable" in done.stdout:
        verdict = "solved"
    elif "I could not solve" in done.stdout:
        verdict = "impossible"
    return took, states, verdict


def report(name: str, rows: list[tuple[float, int]]) -> None:
    """Medians, means and worst cases."""
    times, states = [row[0] for row in rows], [row[1] for row in rows]
    print(
        f"{name}: {1000 * statistics.median(times):.1f} ms median, "
        f"{1000 * statistics.mean(times):.1f} mean, {1000 * max(times):.0f} worst; states "
        f"{statistics.median(states):,.0f} median, {max(states):,} most; "
        f"{sum(states) / sum(times):,.0f} states a second"
    )


def fewest(options: argparse.Namespace) -> None:
    """The fewest cells, compared."""
    known = (DATA / "fewest_cells_1_8000.txt").read_text().replace("\n", "")
    found: Counter[int | None] = Counter()
    for number in range(options.first, options.last + 1):
        begun = time.process_time()
        cells = fewest_cells(number, memory_limit=options.memory * GIB)
        took = time.process_time() - begun
        found[None if cells is None else int(cells)] += 1
        if cells != int(known[number - 1]) or took > 20:
            print(f"{number}: {cells}, the list says {known[number - 1]}; {took:.0f} s", flush=True)
    print(dict(found), f"{time.process_time():.0f} s")


def verdicts(options: argparse.Namespace) -> None:
    """Counts verdicts, names deals without one."""
    variant = preset(options.variant)
    if options.cells is not None:
        variant = variant.replace(cells=options.cells)
    if options.columns is not None:
        variant = variant.replace(columns=options.columns)
    found: Counter[str] = Counter()
    for number in range(options.first, options.last + 1):
        result = prove(
            number, variant=variant, memory_limit=options.memory * GIB, node_limit=options.nodes
        )
        found[result.status.value] += 1
        if result.status is Status.LIMIT:
            print(f"{number}: {result.limit}", flush=True)
    print(variant.name, dict(found), f"{time.process_time():.0f} s")


def large(options: argparse.Namespace) -> None:
    """One proof, with what it took."""
    begun, clock = time.process_time(), time.monotonic()
    result = prove(
        options.first, memory_limit=options.memory * GIB, workers=options.workers, progress=None
    )
    nodes, took = result.stats.nodes, time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"{options.first}: {result.status}, {nodes:,} states, {took:.0f} s of processor, "
        f"{time.monotonic() - clock:.0f} s of clock, {nodes / took:,.0f} states a second, "
        f"{peak / nodes:.1f} bytes a state"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = {part.__name__: part for part in (impossible, versus, fewest, verdicts, large)}
    parser.add_argument("part", choices=parts)
    parser.add_argument("first", type=int, nargs="?")
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--other", action="store_true", help="also time fc-solve")
    parser.add_argument("--variant", default="freecell")
    parser.add_argument("--cells", type=int)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--memory", type=int, default=8, help="GiB")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    parts[options.part](options)


if __name__ == "__main__":
    main()
