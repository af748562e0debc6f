"""How long solutions are by time: our goals any and short and others' figures, in one picture.

    python bench/short_curve.py [--figure bench/results/short-curve.svg]

Deals 300001..300400, whose best published lengths are 25.8875 on average; beside them a prototype's
beams and macroxue's, by a feasibility study on deals 40001..40200 (25.415) and another machine. So
the picture has moves above the best published. Wants matplotlib.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from short_lengths import measure, short

from fcfast.benchmark.plots import COLOURS, MARKERS, STYLE
from fcfast.solve import solve

DEALS, BEST = range(300_001, 300_401), 25.8875
LIMITS = (0.0007, 0.0015, 0.003, 0.006, 0.012, 0.025, 0.05, 0.1, 0.2)
STUDY_BEST = 25.415
# Milliseconds, and moves.
STUDY = {
    "a prototype's beams of 64 to 8,192": (
        (1.5, 26.8), (5, 26.1), (9, 25.9), (32, 25.55), (117, 25.47), (200, 25.41),
    ),
    "macroxue's beams of 256 to 4,096": ((6.5, 32.1), (12, 29.3), (31, 27.8), (98, 26.9)),
}  # fmt: skip

Points = list[tuple[float, float]]


def measured() -> dict[str, Points]:
    """Milliseconds and moves above the best, by curve."""
    solved, average, seconds = measure(DEALS, "any", partial(solve, autoplay="all"))
    curves = {"fcfast, any": [(1000 * seconds, average - BEST)]}
    points = curves["fcfast, short"] = []
    for limit in LIMITS:
        text = f"{1000 * limit:g} ms"
        solved, average, seconds = measure(DEALS, text, partial(short, time_limit=limit))
        if solved == len(DEALS):
            points.append((1000 * seconds, average - BEST))
    for name, found in STUDY.items():
        curves[name] = [(time, moves - STUDY_BEST) for time, moves in found]
    return curves


def drawn(curves: dict[str, Points]) -> Figure:
    """The picture."""
    figure = Figure(figsize=(7.0, 4.6), layout="constrained")
    axes = figure.add_subplot()
    for points, label, colour, marker in zip(
        curves.values(), curves, COLOURS, MARKERS, strict=False
    ):
        axes.plot(*zip(*points, strict=True), color=colour, marker=marker, label=label)
    axes.set_xscale("log")
    axes.set_xticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axes.set_yscale("symlog", linthresh=0.1)
    axes.set_yticks([-0.1, 0, 0.1, 1, 10], ["-0.1", "0", "0.1", "1", "10"])
    axes.set_ylim(-0.1, 25)
    axes.set_xlabel("milliseconds a deal")
    axes.set_ylabel("moves above the best published")
    axes.legend(loc="lower left")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).parent / "results" / "short-curve.svg"
    parser.add_argument("--figure", type=Path, default=default)
    figure = parser.parse_args().figure
    with matplotlib.rc_context(STYLE):
        drawn(measured()).savefig(figure, metadata={"Date": None})


if __name__ == "__main__":
    main()
