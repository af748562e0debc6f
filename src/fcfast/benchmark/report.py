"""What a race leaves in its folder: rows as CSV, everything as JSON, pictures, and one HTML page.

The page needs nothing else: its pictures are inside it, it fits a telephone and prints well.
Imports plots, race, scores and tables; matplotlib only if it is installed.
"""

from __future__ import annotations

import csv
import html
import importlib.util
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from string import Template
from typing import Any

from fcfast.benchmark import plots, tables
from fcfast.benchmark.race import Plan
from fcfast.benchmark.scores import Score, by_deal, score

Row = Mapping[str, Any]

COLUMNS = (
    *("event", "solver", "deal", "repetition", "started", "verdict", "detail"),
    *("seconds", "wall", "cpu", "memory", "nodes", "moves", "singles", "notation", "autoplay"),
    *("deals", "solved", "impossible", "unsolved", "checked", "wrong"),
)
NO_PLOTS = "pictures need matplotlib: pip install 'fcfast[plot]'"


class Results:
    """A race's rows with what was made of them, and how to write it all down."""

    def __init__(
        self,
        plan: Plan,
        base: str,
        rows: Sequence[Row],
        solvers: Mapping[str, Mapping[str, str]],
        more: Mapping[str, Any],
    ) -> None:
        self.plan, self.base, self.rows, self.solvers, self.more = plan, base, rows, solvers, more
        self.scores: list[Score] = score(rows, solvers, base, plan.time_limit, plan.seed)
        timed = {name: told["timed"] for name, told in solvers.items()}
        self.tables = tables.tables(self.scores, rows, timed, base, plan.counted_with)

    def to_json(self) -> dict[str, Any]:
        """Everything but the rows."""
        return {
            "plan": asdict(self.plan),
            "base": self.base,
            "solvers": self.solvers,
            **self.more,
            "scores": [asdict(one) for one in self.scores],
        }

    def write(self, folder: Path) -> list[str]:
        """Writes rows.csv, results.json, report.html and the pictures; returns what could not be
        made and what would help."""
        with (folder / "rows.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, restval="", extrasaction="ignore")
            writer.writeheader()
            writer.writerows(self.rows)
        text = json.dumps(self.to_json(), indent=1)
        (folder / "results.json").write_text(text, encoding="utf-8")
        made: list[tuple[str, str, str]] = []
        missing = [] if importlib.util.find_spec("matplotlib") else [NO_PLOTS]
        if not missing:
            by_solver = {name: by_deal(self.rows, name) for name in self.solvers}
            by_solver = {name: deals for name, deals in by_solver.items() if deals}
            for picture in plots.pictures(by_solver, self.base, self.plan.time_limit):
                plots.save(picture, folder)
                svg = (folder / f"{picture.name}.svg").read_text(encoding="utf-8")
                made.append((picture.name, picture.caption, _inline(svg, picture)))
        page = self._page(made, missing)
        (folder / "report.html").write_text(page, encoding="utf-8")
        return missing

    def _page(self, made: Sequence[tuple[str, str, str]], missing: Sequence[str]) -> str:
        pictures = "".join(
            f'<figure id="{name}"><div class="wide">{svg}</div>'
            f"<figcaption>{html.escape(caption)}</figcaption></figure>\n"
            for name, caption, svg in made
        )
        return Template(PAGE).substitute(
            headline=self._headline(),
            findings="".join(f"<li>{line}</li>" for line in self._findings()),
            command=html.escape(self.more["command"]),
            tables="".join(_table(one) for one in self.tables),
            pictures=pictures or "".join(f"<p>{html.escape(line)}</p>" for line in missing),
            conditions=_pairs(self._conditions()),
            machine=_pairs(self._machine()),
            solvers=_pairs(
                {
                    name: ": ".join(filter(None, (told["version"], told["summary"])))
                    for name, told in self.solvers.items()
                }
            ),
            absent=_absent(self.more["missing"]),
        )

    def _headline(self) -> str:
        plan = self.plan
        when = datetime.fromisoformat(self.more["date"])
        wrong = sum(one.counts["wrong"] for one in self.scores)
        truth = (
            f'<strong class="bad">{wrong} wrong answers.</strong>'
            if wrong
            else "No answer was wrong."
        )
        what = f"{len(plan.deals):,} deals of {plan.set_name}, {plan.cells} cells"
        unfinished = "" if self.more["finished"] else " The race was interrupted: rows are missing."
        return (
            f"<p>{when.day} {when:%B %Y}. {html.escape(what)}, {len(self.scores)} solvers, "
            f"{len(self.rows):,} runs. {truth}{unfinished}</p>"
        )

    def _findings(self) -> list[str]:
        """Who was fastest, who shortest, who answered all: a line for each."""
        honest = [one for one in self.scores if not one.counts["wrong"]]
        lines = []
        fastest = sorted((one.median, one.solver) for one in honest if one.median is not None)
        if fastest:
            time, name = fastest[0]
            timed = self.solvers[name]["timed"]
            lines.append(("Fastest", f"{tables.milliseconds(time)} ms a {timed}, median"))
        shortest = sorted((one.moves, one.solver) for one in honest if one.moves is not None)
        if shortest:
            lines.append(("Shortest solutions", f"{shortest[0][0]:.1f} moves, mean"))
        names = [found[0][1] for found in (fastest, shortest) if found]
        said = [
            f"{what}: <strong>{html.escape(name)}</strong>, {value}"
            for (what, value), name in zip(lines, names, strict=True)
        ]
        answered = {
            one.solver: one.counts["solved"] + one.counts["impossible"] for one in honest
        }
        most = max(answered.values(), default=0)
        first = [html.escape(name) for name, count in answered.items() if count == most]
        of_all = f"{most} of {len(self.plan.deals)}"
        if most and len(first) == len(self.scores) > 1:
            said.append(f"Deals answered: {of_all}, by every solver")
        elif most:
            said.append(f"Most deals answered: <strong>{', '.join(first)}</strong>, {of_all}")
        return said

    def _conditions(self) -> dict[str, str]:
        plan = self.plan
        limits = {
            "wall time": plan.time_limit and f"{plan.time_limit:g} s",
            "CPU time": plan.cpu_limit and f"{plan.cpu_limit:g} s",
            "memory": plan.memory_limit and f"{plan.memory_limit / 2**20:,.0f} MiB",
            "wall time in all": plan.total_time and f"{plan.total_time:g} s",
            "CPU time in all": plan.total_cpu and f"{plan.total_cpu:g} s",
        }
        told = [f"{name} {value}" for name, value in limits.items() if value]
        return {
            "Limits for a deal": ", ".join(told) + "; they bind all processes of a solver together",
            "Order": "shuffled deal by deal, solver by solver",
            "Seed": str(plan.seed),
            "Repetitions": f"{plan.repeat}, the median counts",
            "Warm-up": f"{plan.warm_up} deal{'s' * (plan.warm_up != 1)} for each solver",
        }

    def _machine(self) -> dict[str, str]:
        told = self.more["machine"]
        return {
            "Processor": f"{told['cpu']}, {told['cores']} cores",
            "Memory": f"{told['memory_gib']} GiB",
            "System": f"{told['os']}, kernel {told['kernel']}",
            "Python": told["python"],
            "Compiler": told["compiler"],
            "Compiler flags": told["flags"],
            "fcfast": " ".join(filter(None, (told["fcfast"], told["commit"]))),
            "Load at the start": str(told["load"]),
        }


def _inline(svg: str, picture: plots.Picture) -> str:
    """An SVG file as part of a page: no prologue, no fixed size, a name for those who hear it."""
    svg = svg[svg.index("<svg") :]
    head, rest = svg.split(">", 1)
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    label = html.escape(picture.caption, quote=True)
    # matplotlib numbers its parts anew in each picture; in one page they need to differ.
    rest = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{picture.name}-", rest)
    return f'{head} role="img" aria-label="{label}">{rest}'


def _table(table: tables.Table) -> str:
    out = io.StringIO()
    out.write(f"<h2>{html.escape(table.title)}</h2>\n<div class='wide'><table><thead><tr>")
    for index, name in enumerate(table.columns):
        out.write(f"<th{_kind(table.is_text(index))}>{html.escape(name)}</th>")
    out.write("</tr></thead><tbody>\n")
    for at, cells in enumerate(table.rows):
        out.write("<tr>")
        for index, cell in enumerate(cells):
            tag = "th scope='row'" if index == 0 else "td"
            bad = (at, index) in table.bad
            out.write(f"<{tag}{_kind(table.is_text(index), bad)}>{html.escape(cell)}</{tag[:2]}>")
        out.write("</tr>\n")
    out.write(f"</tbody></table></div>\n<p class='note'>{html.escape(table.note)}</p>\n")
    return out.getvalue()


def _kind(text: bool, bad: bool = False) -> str:
    names = " ".join(name for name, on in (("text", text), ("bad", bad)) if on)
    return f" class='{names}'" if names else ""


def _pairs(pairs: Mapping[str, str]) -> str:
    return "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>\n"
        for name, value in pairs.items()
    )


def _absent(missing: Mapping[str, str]) -> str:
    if not missing:
        return ""
    return f"<h2>Did not start</h2>\n<dl>{_pairs(missing)}</dl>"


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A race of FreeCell solvers</title>
<style>
:root { --ink: #1d1f21; --dim: #5d6166; --line: #dcdfe3; --paper: #fff; --red: #c4161c;
  --felt: #0b5d3b; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
header { background: var(--felt); color: #fff; padding: 2.2rem 0 1.6rem; }
header p { margin: .4rem 0; max-width: 60rem; }
header .bad { color: #fff; background: var(--red); padding: 0 .4em; border-radius: .2em; }
main, header > div, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
h1 { font-size: clamp(1.6rem, 4.5vw, 2.3rem); line-height: 1.15; margin: 0 0 .6rem;
  letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .7rem; }
code { font: .86em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
header code { display: block; background: rgb(0 0 0 / .22); border-radius: .4em;
  padding: .6em .8em; margin-top: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;
  font-size: .92rem; }
th, td { text-align: right; padding: .38rem .65rem; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
thead th { color: var(--dim); font-weight: 600; border-bottom: 2px solid var(--line);
  vertical-align: bottom; }
tbody th { font-weight: 600; }
.text { text-align: left; }
td.text:last-child { white-space: normal; min-width: 5rem; overflow-wrap: anywhere; }
tbody tr:hover { background: #f4f7f5; }
.bad { color: var(--red); font-weight: 700; }
.note, figcaption { color: var(--dim); font-size: .88rem; max-width: 46rem; }
.note { margin: .5rem 0 0; }
.pictures { display: grid; gap: 2.2rem 2.5rem; margin-top: .5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); align-items: start; }
#cactus { grid-column: 1 / -1; }
figure { margin: 0; min-width: 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { margin-top: .4rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.2rem;
  font-size: .92rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
.first { margin: 1.6rem 0; padding: 0; list-style: none; font-size: 1.08rem; }
.first li { margin: .2rem 0; }
footer { color: var(--dim); font-size: .88rem; margin: 3rem auto 2rem; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
  th, td { padding: .34rem .5rem; } figure svg { min-width: 30rem; } }
@media print { header { background: none; color: var(--ink); } header code { background: none; }
  figure, table { break-inside: avoid; } .wide { overflow: visible; } }
</style>
</head>
<body>
<header><div>
<h1>A race of FreeCell solvers</h1>
$headline
<code>$command</code>
</div></header>
<main>
<ul class="first">$findings</ul>
<div class="pictures">
$pictures</div>
$tables
<h2>Conditions</h2>
<dl>$conditions</dl>
<h2>Solvers</h2>
<dl>$solvers</dl>
$absent
<h2>Machine</h2>
<dl>$machine</dl>
</main>
<footer>Made by fcfast bench. Its judge replays solutions card by card and shares no code with any
search. Every run is in rows.csv, the numbers above are in results.json, beside this page.</footer>
</body>
</html>
"""
