"""Races two commits of fcfast: python bench/race_commits.py main~5 main --deals 40001-40200

Both are checked out and built in a temporary folder. Each solves the deals in a process of its own,
turn by turn, in an order that is shuffled anew for each round; a deal counts with the median of
its rounds. The ratio is the geometric mean over the deals, with its bootstrap interval; node counts
that differ say that the search itself is another.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fcfast.benchmark.dealsets import find
from fcfast.benchmark.scores import bootstrap, quantile

SOLVE = """
import json, sys, time
import fcfast
for line in sys.stdin:
    board = fcfast.deal(int(line))
    start = time.perf_counter()
    result = fcfast.solve(board)
    seconds = time.perf_counter() - start
    print(json.dumps([seconds, result.stats.nodes, str(result.status)]), flush=True)
"""


class Commit:
    """A commit that is built, and a process of it that solves deals."""

    def __init__(self, name: str, folder: Path) -> None:
        archive = subprocess.run(["git", "archive", name], check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run(build, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=clean)
        self.name = name
        self.times: dict[int, list[float]] = {}
        self.nodes: dict[int, int] = {}
        self.verdicts: dict[int, str] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-c", SOLVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**clean, "PYTHONPATH": str(folder / "src")},
        )

    def solve(self, number: int) -> float:
        assert self._process.stdin and self._process.stdout
        print(number, file=self._process.stdin, flush=True)
        seconds, self.nodes[number], self.verdicts[number] = json.loads(
            self._process.stdout.readline()
        )
        return seconds

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commits", nargs=2, metavar="COMMIT")
    parser.add_argument("--deals", default="40001-40200", help="numbers and ranges, or a set")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    deals = list(find(options.deals).numbers)
    with tempfile.TemporaryDirectory() as name:
        commits: list[Commit] = []
        try:
            for index, commit in enumerate(options.commits):
                commits.append(Commit(commit, Path(name) / str(index)))
            race(commits, deals, options.rounds)
        finally:
            for commit in commits:
                commit.end()
    tell(commits, deals)


def race(commits: list[Commit], deals: list[int], rounds: int) -> None:
    """Each deal by each commit, that many times; the first deal beforehand, to warm up."""
    order = random.Random(1)
    for commit in commits:
        commit.solve(deals[0])
    for _ in range(rounds):
        for number in order.sample(deals, len(deals)):
            for commit in order.sample(commits, len(commits)):
                commit.times.setdefault(number, []).append(commit.solve(number))


def tell(commits: list[Commit], deals: list[int]) -> None:
    """Prints each commit's times and nodes, and the ratio of the second to the first."""
    medians = [[statistics.median(commit.times[number]) for number in deals] for commit in commits]
    for commit, times in zip(commits, medians, strict=True):
        answered = sum(verdict != "limit" for verdict in commit.verdicts.values())
        print(
            f"{commit.name}: median {1e6 * statistics.median(times):,.0f} us, "
            f"mean {1e6 * statistics.fmean(times):,.0f}, "
            f"99 % {1e6 * quantile(times, 0.99):,.0f}, worst {1e6 * max(times):,.0f}; "
            f"{sum(commit.nodes.values()):,} nodes; {answered} of {len(deals)} answered"
        )
    first, second = medians
    logs = [math.log(new / old) for old, new in zip(first, second, strict=True)]
    ratio = bootstrap(logs, seed=1)
    value, low, high = (math.exp(part) for part in (ratio.value, ratio.low, ratio.high))
    print(f"{commits[1].name} takes {value:.3f} times as long ({low:.3f} to {high:.3f}, 95 %)")
    other = [number for number in deals if commits[0].nodes[number] != commits[1].nodes[number]]
    same = "the same nodes on every deal" if not other else f"other nodes on {len(other)} deals"
    print(same)


if __name__ == "__main__":
    main()
