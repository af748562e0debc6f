"""Scores of rows whose scores are known."""

import math
import random
import statistics

import pytest

from fcfast.benchmark import scores
from fcfast.benchmark.scores import VERDICTS, bootstrap, quantile, score


def row(solver, deal, verdict="solved", seconds=1.0, moves=10, singles=20, **more):
    solved = verdict == "solved"
    return {
        "event": "deal",
        "solver": solver,
        "deal": deal,
        "repetition": 0,
        "verdict": verdict,
        "seconds": seconds,
        "cpu": seconds,
        "memory": 1 << 20,
        "moves": moves if solved else None,
        "singles": singles if solved else None,
        **more,
    }


def scored(rows, solvers=("a", "b"), limit=10.0):
    return {one.solver: one for one in score(rows, solvers, "a", limit, 1)}


def test_what_each_solver_answered():
    rows = [row("a", n, verdict) for n, verdict in enumerate(("solved", "impossible", "limit"))]
    rows += [row("b", n, verdict) for n, verdict in enumerate(("wrong", "failed", "unchecked"))]
    counts = {name: list(one.counts.values()) for name, one in scored(rows).items()}
    assert VERDICTS == ("solved", "impossible", "unchecked", "limit", "failed", "wrong")
    assert counts == {"a": [1, 1, 0, 1, 0, 0], "b": [0, 0, 1, 0, 1, 1]}


def test_par2_of_no_answer_and_of_a_wrong_one():
    rows = [row("a", 1, seconds=1), row("a", 2, "limit", seconds=10)]
    rows += [row("b", 1, seconds=1), row("b", 2, "wrong", seconds=0.1)]
    both = scored(rows)
    assert both["a"].par2 == (1 + 20) / 2
    assert both["b"].par2 == (1 + 40) / 2


def test_a_liar_is_last_however_fast():
    rows = [row("a", n, "limit", seconds=10) for n in range(9)]
    rows += [row("b", n, "wrong" if n == 0 else "solved", seconds=0.001) for n in range(9)]
    assert list(scored(rows)) == ["a", "b"]


def test_times_are_of_the_deals_answered():
    rows = [row("a", n, seconds=n) for n in range(1, 102)] + [row("a", 200, "limit", seconds=500)]
    one = scored(rows, ["a"])["a"]
    assert (one.median, one.mean, one.worst) == (51, 51, 101)
    assert (one.p90, one.p99) == (91, 100)
    assert one.memory == 1 << 20


def test_repetitions_count_once_with_their_median_and_worst_verdict():
    rows = [row("a", 1, seconds=s, repetition=n) for n, s in enumerate((1, 2, 9))]
    assert scored(rows, ["a"])["a"].median == 2
    rows[1]["verdict"] = "wrong"
    assert scored(rows, ["a"])["a"].counts["wrong"] == 1
    assert scored(rows, ["a"])["a"].deals == 1


def test_ratio_and_differences_are_of_the_deals_both_answered():
    rows = [row("a", n, seconds=1, moves=10, singles=30) for n in range(10)]
    rows += [row("b", n, seconds=2 if n % 2 else 8, moves=10 + n, singles=29) for n in range(8)]
    rows += [row("b", 8, "limit", seconds=10)]
    versus = scored(rows)["b"].versus
    assert versus.deals == 8
    assert versus.ratio.value == pytest.approx(4)
    assert 2 < versus.ratio.low < 4 < versus.ratio.high < 8
    assert versus.faster == 0
    assert versus.moves.mean.value == 3.5
    assert (versus.moves.shorter, versus.moves.equal, versus.moves.longer) == (0, 1, 7)
    assert versus.singles.mean.value == versus.singles.mean.low == -1
    assert scored(rows)["a"].versus is None


def test_no_deal_in_common_is_no_comparison():
    assert scored([row("a", 1), row("b", 1, "failed", seconds=None)])["b"].versus is None


def test_a_solver_without_rows_has_no_score():
    assert list(scored([row("a", 1)])) == ["a"]


def test_the_interval_holds_the_mean_as_often_as_it_says(monkeypatch):
    """Of 200 samples of a known mean, about 190 intervals hold it."""
    monkeypatch.setattr(scores, "RESAMPLES", 200)
    draw = random.Random(7)
    held = 0
    for _ in range(200):
        values = [draw.gauss(5, 2) for _ in range(40)]
        interval = bootstrap(values, seed=1)
        assert math.isclose(interval.value, statistics.fmean(values))
        held += interval.low <= 5 <= interval.high
    assert 178 <= held <= 199


def test_quantiles_lie_between_neighbours():
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([0, 10], 0.9) == 9
    assert quantile([7], 0.99) == 7
    assert math.isclose(quantile(range(101), 0.99), 99)
