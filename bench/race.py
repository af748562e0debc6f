"""fcfast against Debian's fc-solve, in turn on one core, over deals that nothing was tuned on.

    python bench/race.py [--pairs 5] [--core 1] [--range 1 16000 --range 500001 516000]

Wants freecell-solver-bin. Counted is processor time: of fc-solve's whole process, and of the call
that deals, solves, records and replays in fcfast's (its Python start, 0.1 s, is told apart).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys

OTHER = "freecell-solver-range-parallel-solve"
WORKER = """
import json, resource, sys, time
from array import array
from fcfast import rules
from fcfast.native import engine
from fcfast.weights import weights_for

first, last = map(int, sys.argv[1:])
solver = engine.Solver(rules.tables(rules.FREECELL, 8, 4), 1 << 30, weights_for(rules.FREECELL))
numbers = array("Q", range(first, last + 1))
start = time.process_time()
columns = solver.solve_deals(numbers, with_steps=True)
seconds = time.process_time() - start
status = list(columns["status"])
print(json.dumps({
    "engine": engine.__name__,
    "seconds": seconds,
    "solved": status.count(engine.SOLVED),
    "impossible": [n for n, s in zip(numbers, status) if s == engine.IMPOSSIBLE],
    "limit": status.count(engine.STOPPED),
    "expansions": sum(columns["nodes"]),
    "children": solver.children,
    "moves": sum(columns["moves"]),
    "kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
}))
"""


def ours(first: int, last: int) -> dict[str, object]:
    command = [sys.executable, "-c", WORKER, str(first), str(last)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def theirs(first: int, last: int) -> tuple[float, int]:
    """Processor time, and kilobytes at the peak."""
    command = [OTHER, str(first), str(last), str(last - first + 1), "-l", "looking-glass"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, code, used = os.wait4(process.pid, 0)
        process.returncode = code
    if code:
        raise SystemExit(f"{OTHER} ended with {code}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def race(first: int, last: int, pairs: int) -> None:
    deals = last - first + 1
    our_times, their_times, ratios = [], [], []
    for _ in range(pairs):
        mine = ours(first, last)
        seconds, kilobytes = theirs(first, last)
        our_times.append(float(str(mine["seconds"])))
        their_times.append(seconds)
        ratios.append(seconds / our_times[-1])
    median = statistics.median(our_times)
    expansions, children = int(str(mine["expansions"])), int(str(mine["children"]))
    print(
        f"deals {first}..{last} ({mine['engine']}): {mine['solved']} solved and replayed, "
        f"impossible {mine['impossible']}, limits {mine['limit']}"
    )
    print(f"  ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} .. {max(ratios):.2f})")
    print(
        f"  us a deal: fcfast {1e6 * median / deals:.1f}, "
        f"fc-solve {1e6 * statistics.median(their_times) / deals:.1f}"
    )
    print(
        f"  a deal: {expansions / deals:.1f} expansions, {children / deals:.1f} children, "
        f"{int(str(mine['moves'])) / deals:.1f} moves; {1e9 * median / children:.0f} ns a child"
    )
    print(f"  peak MB: fcfast {int(str(mine['kilobytes'])) >> 10}, fc-solve {kilobytes >> 10}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--core", type=int)
    parser.add_argument("--range", type=int, nargs=2, action="append", dest="ranges")
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for first, last in options.ranges or [(1, 16000), (500001, 516000)]:
        race(first, last, options.pairs)


if __name__ == "__main__":
    main()
