"""Puts a race into README.md, between its marks: command, tables, plot, machine and date.

    fcfast bench ... --bulk 1-32000     as README has it
    python bench/readme_race.py bench-results
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import textwrap
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from fcfast.benchmark.tables import milliseconds, ratio

HERE = Path(__file__).parent
README = HERE.parent / "README.md"
BEGIN, END = "<!-- a race, by bench/readme_race.py -->\n", "<!-- end of the race -->\n"
KEPT = ("results.json", "cactus.svg")


def prose(words: str) -> str:
    """A paragraph as wide as README's."""
    return textwrap.fill(words, 100, break_on_hyphens=False)


def table(head: str, rows: list[list[str]]) -> str:
    """Of Markdown."""
    columns = head.split(", ")
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def deals_alone(told: dict[str, Any]) -> Iterator[list[str]]:
    for one in told["scores"]:
        versus = one["versus"]
        factor = versus and versus["ratio"]
        yield [
            one["solver"],
            told["solvers"][one["solver"]]["timed"],
            str(one["counts"]["solved"]),
            str(one["counts"]["wrong"]),
            *(milliseconds(one[name]) for name in ("median", "p99", "cpu")),
            f"{one['moves']:.1f}",
            f"{one['singles']:.1f}",
            f"{ratio(factor['value'])} ({ratio(factor['low'])} to {ratio(factor['high'])})"
            if factor
            else "",
        ]


def in_bulk(rows: list[dict[str, Any]], solvers: list[str]) -> Iterator[list[str]]:
    for solver in solvers:
        runs = [row for row in rows if row["event"] == "bulk" and row["solver"] == solver]
        done = [row for row in runs if "deals" in row]
        if done:
            deals = done[0]["deals"]
            yield [
                solver,
                *(
                    milliseconds(statistics.median(row[time] for row in done) / deals)
                    for time in ("seconds", "cpu")
                ),
                *(str(done[-1][name]) for name in ("solved", "impossible", "unsolved", "wrong")),
            ]


def text(told: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    machine, base = told["machine"], told["base"]
    solvers = [one["solver"] for one in told["scores"]]
    versions = ", ".join(f"{name} {told['solvers'][name]['version']}" for name in solvers)
    when = date.fromisoformat(told["date"])
    busy = (
        f" The machine had other work (a load of {machine['load']:.0f}), which stretches wall "
        "times, most of all those of programs that start; CPU times suffer little."
        if machine["load"] > 1
        else ""
    )
    first, last = told["plan"]["bulk"]
    command = told["command"].replace(" --solver", " \\\n    --solver", 1)
    alone = table(
        "solver, timed, solved, wrong, median, 99 %, CPU, moves, singles, times as long",
        list(deals_alone(told)),
    )
    bulk = table(
        f"solver; {first} to {last}, ms a deal, CPU, solved, impossible, given up, wrong",
        list(in_bulk(rows, solvers)),
    )
    figures = prose(
        f"Milliseconds a deal; moves are counted with autoplay `{told['plan']['counted_with']}`; "
        f'"times as long" is the geometric mean of the ratios to {base}, deal by deal, with its '
        "95 % interval:"
    )
    origin = prose(
        f"{when.day} {when:%B %Y}; {machine['cpu']}, {machine['cores']} cores; {machine['os']}; "
        f"{machine['python']}; {machine['compiler']}; commit {machine['commit']}; {versions}."
        f"{busy} [results.json](bench/results/results.json) has all figures."
    )
    return f"""```text
{command}
```

{figures}

{alone}
![Deals answered, sorted by time, for each solver](bench/results/cactus.svg)

and a range in one go, one process:

{bulk}
{origin}
"""


def main() -> None:
    folder = Path(sys.argv[1])
    told = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    lines = (folder / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        sys.exit(f"{README} has no marks to put a race between")
    if told["plan"]["bulk"] is None or not told["finished"]:
        sys.exit(f"{folder} holds no finished race with --bulk")
    made = text(told, list(map(json.loads, lines)))
    README.write_text(f"{before}{BEGIN}{made}{END}{after}", encoding="utf-8")
    for name in KEPT:
        shutil.copyfile(folder / name, HERE / "results" / name)


if __name__ == "__main__":
    main()
