"""Numbers from rows: what each solver answered, how fast, how short, and against a base solver.

A deal counts once: its time is the median of the repetitions, its verdict the worst of them.
Imports nothing of fcfast.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]

VERDICTS = ("solved", "impossible", "unchecked", "limit", "failed", "wrong")  # worse and worse
ANSWERED = ("solved", "impossible", "unchecked")
RESAMPLES = 2000
DRAWS = 4_000_000  # resamples times deals at most: a few seconds


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class DealScore:
    """A solver on a deal."""

    verdict: str
    seconds: float | None
    moves: int | None
    singles: int | None


@dataclass(frozen=True)
class Difference:
    """Lengths of two solvers on the deals both solved: ours minus the base's."""

    deals: int
    mean: Interval
    shorter: int
    equal: int
    longer: int


@dataclass(frozen=True)
class Versus:
    """A solver against the base, on the deals that both answered.

    ratio is the geometric mean of the ratios of their times: 2 is twice as long as the base.
    """

    deals: int
    ratio: Interval
    faster: int
    moves: Difference | None
    singles: Difference | None


@dataclass(frozen=True)
class Score:
    """A solver in a race. Times in seconds, of the deals it answered; lengths of those it solved.

    par2 is the mean time over all deals where one that is not answered costs twice the limit, and
    a wrong answer, which is worse than none, four times.
    """

    solver: str
    deals: int
    counts: Mapping[str, int]
    par2: float
    median: float | None
    mean: float | None
    p90: float | None
    p99: float | None
    worst: float | None
    start: float | None
    cpu: float | None
    memory: int | None
    moves: float | None
    singles: float | None
    versus: Versus | None


def score(
    rows: Sequence[Row], solvers: Iterable[str], base: str, time_limit: float, seed: int
) -> list[Score]:
    """The scores of the solvers that have rows, those without a wrong answer first, best first."""
    tables = {name: by_deal(rows, name) for name in solvers}
    scores = [
        _score(name, deals, rows, tables[base], base, time_limit, seed)
        for name, deals in tables.items()
        if deals
    ]
    return sorted(scores, key=lambda one: (one.counts["wrong"] > 0, one.par2))


def by_deal(rows: Iterable[Row], solver: str) -> dict[int, DealScore]:
    """A solver's deals, repetitions put together."""
    runs: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["event"] == "deal" and row["solver"] == solver:
            runs[row["deal"]].append(row)
    return {deal: _put_together(runs[deal]) for deal in sorted(runs)}


def answered(deals: Mapping[int, DealScore]) -> dict[int, float]:
    """The times of the deals that were answered."""
    return {
        deal: one.seconds
        for deal, one in deals.items()
        if one.verdict in ANSWERED and one.seconds is not None
    }


def lengths(deals: Mapping[int, DealScore], metric: str) -> dict[int, int]:
    """The lengths of the solutions."""
    found = {deal: getattr(one, metric) for deal, one in deals.items() if one.verdict == "solved"}
    return {deal: length for deal, length in found.items() if length is not None}


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which that part of the values lies, between neighbours in proportion."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def bootstrap(values: Sequence[float], seed: int) -> Interval:
    """The mean with the interval that means of resamples fall into, 95 of 100."""
    draw = random.Random(seed)
    count = len(values)
    times = max(200, min(RESAMPLES, DRAWS // count))
    means = [sum(draw.choices(values, k=count)) / count for _ in range(times)]
    return Interval(sum(values) / count, quantile(means, 0.025), quantile(means, 0.975))


def _put_together(runs: Sequence[Row]) -> DealScore:
    worst = max(runs, key=lambda row: VERDICTS.index(row["verdict"]))
    times = [row["seconds"] for row in runs if row["seconds"] is not None]
    solved = [row for row in runs if row["verdict"] == "solved"]

    def median(metric: str) -> int | None:
        found = [row[metric] for row in solved if row[metric] is not None]
        return statistics.median_low(found) if found else None

    seconds = statistics.median(times) if times else None
    return DealScore(worst["verdict"], seconds, median("moves"), median("singles"))


def _score(
    name: str,
    deals: Mapping[int, DealScore],
    rows: Sequence[Row],
    base_deals: Mapping[int, DealScore],
    base: str,
    time_limit: float,
    seed: int,
) -> Score:
    mine = [row for row in rows if row["solver"] == name]
    times = list(answered(deals).values())
    costs = {"limit": 2 * time_limit, "failed": 2 * time_limit, "wrong": 4 * time_limit}
    par2 = [
        one.seconds if one.verdict in ANSWERED and one.seconds is not None else costs[one.verdict]
        for one in deals.values()
    ]
    starts = [row["seconds"] for row in mine if row["event"] == "start" and row["seconds"]]
    cpu = [row["cpu"] for row in mine if row["event"] == "deal" and row["cpu"] is not None]
    memory = [row["memory"] for row in mine if row["event"] == "deal" and row["memory"]]

    def mean_length(metric: str) -> float | None:
        return _if_any(statistics.fmean, list(lengths(deals, metric).values()))

    return Score(
        solver=name,
        deals=len(deals),
        counts={v: sum(one.verdict == v for one in deals.values()) for v in VERDICTS},
        par2=statistics.fmean(par2),
        median=_if_any(statistics.median, times),
        mean=_if_any(statistics.fmean, times),
        p90=_if_any(lambda values: quantile(values, 0.90), times),
        p99=_if_any(lambda values: quantile(values, 0.99), times),
        worst=_if_any(max, times),
        start=_if_any(statistics.median, starts),
        cpu=_if_any(statistics.fmean, cpu),
        memory=max(memory, default=None),
        moves=mean_length("moves"),
        singles=mean_length("singles"),
        versus=_versus(deals, base_deals, seed) if name != base else None,
    )


def _versus(
    deals: Mapping[int, DealScore], base: Mapping[int, DealScore], seed: int
) -> Versus | None:
    ours, theirs = answered(deals), answered(base)
    common = [deal for deal in ours if deal in theirs and ours[deal] > 0 and theirs[deal] > 0]
    if not common:
        return None
    logs = bootstrap([math.log(ours[deal] / theirs[deal]) for deal in common], seed)
    return Versus(
        deals=len(common),
        ratio=Interval(math.exp(logs.value), math.exp(logs.low), math.exp(logs.high)),
        faster=sum(ours[deal] < theirs[deal] for deal in common),
        moves=_difference(lengths(deals, "moves"), lengths(base, "moves"), seed),
        singles=_difference(lengths(deals, "singles"), lengths(base, "singles"), seed),
    )


def _difference(
    ours: Mapping[int, int], theirs: Mapping[int, int], seed: int
) -> Difference | None:
    less = [ours[deal] - theirs[deal] for deal in ours if deal in theirs]
    if not less:
        return None
    return Difference(
        deals=len(less),
        mean=bootstrap(less, seed),
        shorter=sum(n < 0 for n in less),
        equal=less.count(0),
        longer=sum(n > 0 for n in less),
    )


def _if_any(of: Callable[[Sequence[float]], float], values: Sequence[float]) -> float | None:
    return of(values) if values else None
