"""The tables of a race, once as plain cells and once on a terminal through rich. Imports scores.

Times are milliseconds with three digits that count, so that a column can be read down.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

from fcfast.benchmark.scores import Difference, Score

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """A table with its explanation. The first column names a solver; `bad` are cells in red."""

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    bad: frozenset[tuple[int, int]] = field(default_factory=frozenset)

    def is_text(self, column: int) -> bool:
        """Is it words, which start at the left, not numbers?"""
        return column == 0 or self.columns[column] in ("timed", "verdict", "why")


def tables(
    scores: Sequence[Score], rows: Sequence[Row], timed: Mapping[str, str], base: str, policy: str
) -> list[Table]:
    """All tables that there are numbers for."""
    made = [_answers(scores, timed), _times(scores), _lengths(scores, base, policy)]
    made += [_versus(scores, base), _bulk(rows), _faults(rows)]
    return [table for table in made if table.rows]


def show(made: Iterable[Table], stream: TextIO) -> None:
    """Prints tables; wrong answers are red where colour is wanted."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    if not console.is_terminal:
        console.width = 100  # nothing says how wide a file is
    for table in made:
        drawn = RichTable(
            title=table.title,
            title_justify="left",
            title_style="bold",
            caption=table.note,
            caption_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            collapse_padding=True,
        )
        for index, name in enumerate(table.columns):
            drawn.add_column(
                name,
                justify="left" if table.is_text(index) else "right",
                no_wrap=name not in ("solver", "why"),
                overflow="fold",
            )
        for at, cells in enumerate(table.rows):
            drawn.add_row(
                *(
                    Text(cell, style="bold red" if (at, column) in table.bad else "")
                    for column, cell in enumerate(cells)
                )
            )
        console.print(drawn)
        console.print()


def _answers(scores: Sequence[Score], timed: Mapping[str, str]) -> Table:
    columns = ("solved", "impossible", "unchecked", "limit", "failed", "wrong")
    return Table(
        "Answers",
        "Solved: every solution replayed. Impossible: proved. Unchecked: said without moves to "
        "replay. Limit: gave up, or was stopped at one. PAR-2: mean ms, twice the limit for no "
        "answer, four times for a wrong one. Timed: a process from its start to its end, or a call "
        "inside one that runs.",
        ("solver", *columns, "PAR-2", "timed"),
        [
            (
                score.solver,
                *(str(score.counts[name]) for name in columns),
                milliseconds(score.par2),
                timed[score.solver],
            )
            for score in scores
        ],
        frozenset((at, 6) for at, score in enumerate(scores) if score.counts["wrong"]),
    )


def _times(scores: Sequence[Score]) -> Table:
    return Table(
        "Time",
        "Milliseconds a deal, of the deals answered. Start: what a process takes for a board that "
        "is one move from won, included in its times. Memory: the most its processes held.",
        ("solver", "median", "mean", "90 %", "99 %", "worst", "start", "CPU", "memory"),
        [
            (
                score.solver,
                *map(
                    milliseconds,
                    (score.median, score.mean, score.p90, score.p99, score.worst, score.start),
                ),
                milliseconds(score.cpu),
                f"{score.memory / 2**20:,.0f} MiB" if score.memory else "",
            )
            for score in scores
        ],
    )


def _lengths(scores: Sequence[Score], base: str, policy: str) -> Table:
    return Table(
        "Length",
        f"Moves: a run that the solver moves in one go is one, and what autoplay ({policy}) takes "
        f"home is free. Singles: every movement of a card. More: than {base}, the mean of the "
        "differences with its 95 % bootstrap interval, on the deals both solved.",
        ("solver", "moves", "more", "95 %", "singles", "more", "95 %"),
        [
            (
                score.solver,
                _mean(score.moves),
                *_difference(score.versus.moves if score.versus else None),
                _mean(score.singles),
                *_difference(score.versus.singles if score.versus else None),
            )
            for score in scores
            if score.singles is not None
        ],
    )


def _versus(scores: Sequence[Score], base: str) -> Table:
    return Table(
        f"Against {base}",
        "Ratio: geometric mean of the ratios of the times, deal by deal, with its 95 % bootstrap "
        f"interval; above 1 is slower than {base}. On how many deals it was faster, and its "
        "solution shorter, as long or longer in moves.",
        ("solver", "deals", "ratio", "95 %", "faster", "shorter", "equal", "longer"),
        [
            (
                score.solver,
                str(score.versus.deals),
                ratio(score.versus.ratio.value),
                f"{ratio(score.versus.ratio.low)} to {ratio(score.versus.ratio.high)}",
                str(score.versus.faster),
                *_shorter(score.versus.moves),
            )
            for score in scores
            if score.versus
        ],
    )


def _bulk(rows: Sequence[Row]) -> Table:
    runs: dict[str, list[Row]] = {}
    for row in rows:
        if row["event"] == "bulk":
            runs.setdefault(row["solver"], []).append(row)
    lines: list[Sequence[str]] = []
    bad = set()
    for name, several in runs.items():
        done = [row for row in several if "deals" in row]
        if not done:
            continue  # it is among the failures
        seconds = statistics.median(row["seconds"] for row in done)
        last = done[-1]
        wrong = max(row["wrong"] for row in done)
        if wrong:
            bad.add((len(lines), 8))
        lines.append(
            (
                name,
                f"{last['deals'] / seconds:,.0f}",
                milliseconds(seconds / last["deals"]),
                milliseconds(statistics.median(row["cpu"] for row in done) / last["deals"]),
                str(last["solved"]),
                str(last["impossible"]),
                str(last["unsolved"]),
                str(last["checked"]),
                str(wrong),
            )
        )
    return Table(
        "Bulk",
        "A range of deals in one go, one process: the median of the repetitions. CPU: "
        "milliseconds of it a deal. Checked: solutions replayed and impossibilities proved, "
        "outside the time.",
        (
            "solver",
            "deals/s",
            "ms/deal",
            "CPU",
            "solved",
            "impossible",
            "unsolved",
            "checked",
            "wrong",
        ),
        lines,
        frozenset(bad),
    )


def _faults(rows: Sequence[Row]) -> Table:
    """What went wrong, the wrong answers first, a few of each kind."""
    chosen: list[Row] = []
    for verdict in ("wrong", "failed", "limit"):
        seen: dict[str, int] = {}
        for row in rows:
            if row["verdict"] == verdict and (verdict != "limit" or row["event"] == "bulk"):
                seen[row["solver"]] = seen.get(row["solver"], 0) + 1
                if seen[row["solver"]] <= 5:
                    chosen.append(row)
    return Table(
        "Wrong answers and failures",
        "The first five of each solver.",
        ("solver", "deal", "verdict", "why"),
        [
            (
                row["solver"],
                row["event"] if row["event"] != "deal" else str(row["deal"]),
                row["verdict"],
                row["detail"],
            )
            for row in chosen
        ],
        frozenset((at, 2) for at, row in enumerate(chosen) if row["verdict"] == "wrong"),
    )


def milliseconds(seconds: float | None) -> str:
    """Three digits that count, and thousands apart; nothing for nothing."""
    if seconds is None:
        return ""
    value = 1000 * seconds
    if value <= 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(value)))
    return f"{value:,.{digits}f}"


def ratio(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _mean(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _difference(one: Difference | None) -> tuple[str, str]:
    if one is None:
        return "", ""
    return f"{one.mean.value:+.1f}", f"{one.mean.low:+.1f} to {one.mean.high:+.1f}"


def _shorter(one: Difference | None) -> tuple[str, str, str]:
    return (str(one.shorter), str(one.equal), str(one.longer)) if one else ("", "", "")
