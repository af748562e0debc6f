"""The pictures of a race, through matplotlib: each as a Figure that report.py and save() write out.

A solver has one colour and one marker in all of them. Imports scores.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fcfast.benchmark.scores import DealScore, answered, lengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Deals = Mapping[int, DealScore]

# Okabe and Ito's colours, told apart by all kinds of eyes; yellow is too light for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "osD^vPX"
INK = "#222222"
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#888888",
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "legend.frameon": False,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "fcfast",  # the same picture is the same file
}


class Picture(NamedTuple):
    """A figure, the name of its files, and what it shows in words."""

    name: str
    caption: str
    figure: Figure


def pictures(tables: Mapping[str, Deals], base: str, time_limit: float) -> Iterator[Picture]:
    """The pictures that there is data for: cactus, scatter, histogram, curve."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        timed = {name: answered(deals) for name, deals in tables.items()}
        timed = {name: times for name, times in timed.items() if times}
        if timed:
            yield Picture(
                "cactus",
                "Deals answered, and the time within which each one was: the further right and "
                "the lower, the better. Every solver's deals are sorted by its own times.",
                _cactus(timed, len(next(iter(tables.values())))),
            )
        others = [name for name in timed if name != base]
        if base in timed:
            for name in others:
                if timed[name].keys() & timed[base].keys():
                    yield Picture(
                        f"scatter-{_file_name(name)}",
                        f"Every deal that both answered, by the time {base} took and the time "
                        f"{name} took. Above the black line, where both are equal, {base} was "
                        "faster; from one dotted line to the next is a factor of ten.",
                        _scatter(timed, base, name),
                    )
        solved = {name: lengths(deals, "moves") for name, deals in tables.items()}
        solved = {name: found for name, found in solved.items() if found}
        if solved:
            yield Picture(
                "lengths",
                "How many solutions have which length in moves; the line is the mean.",
                _histogram(solved),
            )
        common = _common({name: solved[name] for name in solved if name in timed})
        if common:
            yield Picture(
                "length-against-time",
                f"Mean length against mean time, on the {len(common)} deals that all of these "
                "solved: the further down and to the left, the better. A solver's modes are "
                "joined.",
                _curve({name: solved[name] for name in solved if name in timed}, timed, common),
            )


def save(picture: Picture, folder: Path) -> None:
    """Writes NAME.png and NAME.svg."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        picture.figure.savefig(folder / f"{picture.name}.png", dpi=160)
        picture.figure.savefig(folder / f"{picture.name}.svg", metadata={"Date": None})


def _figure(width: float = 7.0, height: float = 4.6) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _cactus(timed: Mapping[str, Mapping[int, float]], deals: int) -> Figure:
    from matplotlib.ticker import MaxNLocator

    figure, axes = _figure(9.6, 4.8)
    for index, (name, times) in enumerate(timed.items()):
        ordered = sorted(1000 * seconds for seconds in times.values())
        counts = range(1, len(ordered) + 1)
        few = len(ordered) < 60
        axes.plot(counts, ordered, label=name, markersize=4, **_look(index, line=True, mark=few))
    axes.set_yscale("log")
    axes.set_xlim(0, deals * 1.01)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(f"deals answered, of {deals}")
    axes.set_ylabel("milliseconds for each")
    axes.margins(y=0.06)
    _plain_logs(axes.yaxis)
    axes.legend(loc="upper left", ncols=min(4, len(timed)), bbox_to_anchor=(0, 1.12))
    return figure


def _scatter(timed: Mapping[str, Mapping[int, float]], base: str, name: str) -> Figure:
    figure, axes = _figure()
    common = sorted(timed[base].keys() & timed[name].keys())
    x = [1000 * timed[base][deal] for deal in common]
    y = [1000 * timed[name][deal] for deal in common]
    index = list(timed).index(name)
    axes.scatter(x, y, s=14, alpha=0.6, linewidths=0, **_look(index))
    left, right, low, high = min(x) / 1.5, max(x) * 1.5, min(y) / 1.5, max(y) * 1.5
    for factor in (0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000, 10000):
        line, colour = ("-", INK) if factor == 1 else (":", "#999999")
        axes.plot([left, right], [left * factor, right * factor], ls=line, color=colour, lw=1)
    axes.set(xscale="log", yscale="log", xlim=(left, right), ylim=(low, high))
    above = sum(theirs > ours for ours, theirs in zip(x, y, strict=True))
    axes.set_title(f"{base} faster: {above} of {len(common)}", fontsize=11, fontweight="normal")
    axes.set_xlabel(f"{base}, milliseconds")
    axes.set_ylabel(f"{name}, milliseconds")
    _plain_logs(axes.xaxis)
    _plain_logs(axes.yaxis)
    return figure


def _histogram(solved: Mapping[str, Mapping[int, int]]) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7.0, max(4.6, 0.9 + 1.25 * len(solved))), layout="constrained")
    panels = figure.subplots(len(solved), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    every = [length for found in solved.values() for length in found.values()]
    width = max(1, -(-(max(every) - min(every) + 1) // 50))
    bins = range(min(every), max(every) + 2 * width, width)
    for index, ((name, found), axes) in enumerate(zip(solved.items(), panels, strict=True)):
        axes.hist(list(found.values()), bins=bins, color=_colour(index), alpha=0.85, align="left")
        mean = statistics.fmean(found.values())
        axes.axvline(mean, color=INK, lw=1.2)
        axes.set_title(f"{name}, {mean:.1f}", fontsize=11, fontweight="normal", pad=3)
        axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    panels[-1].set_xlabel("moves")
    figure.supylabel("deals", fontsize=11)
    return figure


def _curve(
    solved: Mapping[str, Mapping[int, int]],
    timed: Mapping[str, Mapping[int, float]],
    common: Sequence[int],
) -> Figure:
    figure, axes = _figure()
    families: dict[str, list[tuple[float, float]]] = {}
    for name, found in solved.items():
        time = 1000 * statistics.fmean(timed[name][deal] for deal in common)
        length = statistics.fmean(found[deal] for deal in common)
        families.setdefault(name.partition(":")[0], []).append((time, length))
        index = list(timed).index(name)
        axes.plot(time, length, ms=9, ls="", label=name, **_look(index, mark=True))
        axes.annotate(
            name, (time, length), xytext=(9, 0), textcoords="offset points", va="center"
        )
    for points in families.values():
        axes.plot(*zip(*sorted(points), strict=True), color="#bbbbbb", lw=1.2, zorder=1)
    axes.set_xscale("log")
    axes.margins(x=0.25, y=0.15)
    axes.set_xlabel("mean milliseconds a deal")
    axes.set_ylabel("mean moves")
    _plain_logs(axes.xaxis)
    return figure


def _common(solved: Mapping[str, Mapping[int, int]]) -> list[int]:
    if not solved:
        return []
    return sorted(set.intersection(*(set(found) for found in solved.values())))


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _look(index: int, line: bool = False, mark: bool = False) -> dict[str, Any]:
    look: dict[str, Any] = {"color": _colour(index)}
    if mark or not line:
        look["marker"] = MARKERS[index % len(MARKERS)]
    if line:
        look["lw"] = 2
    return look


def _plain_logs(axis: Any) -> None:
    """0.1, 1, 10 instead of powers, and 2 and 5 between them where there are not many of these."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    low, high = axis.get_view_interval()
    plain = FuncFormatter(lambda value, _: f"{value:,g}" if f"{value:e}"[0] in "125" else "")
    axis.set_major_formatter(plain)
    axis.set_minor_formatter(plain if high / low < 200 else NullFormatter())


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
