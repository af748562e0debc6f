"""fcfast bench: a race of solvers."""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from datetime import date
from pathlib import Path
from typing import Any

from fcfast.autoplay import POLICIES
from fcfast.cli import options as common
from fcfast.errors import FcfastError
from fcfast.terminal import Progress, show

DEFAULT_SOLVERS = ("fcfast", "fc-solve:looking-glass", "freecell_solver")


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "bench",
        "race solvers, ours and others, on the same deals, and check every answer",
        "fcfast bench --set ms32k --sample 500 --solver fcfast --solver fc-solve:looking-glass",
        "fcfast bench --set 1-100,617 --bulk 1-32000 --out results",
        "fcfast bench --list",
    )
    who = parser.add_argument_group("who and what")
    who.add_argument(
        "--solver",
        metavar="NAME",
        action="append",
        help="a solver, with a mode after a colon; again for more; "
        f"{', '.join(DEFAULT_SOLVERS)} if not given (example: --solver fcfast)",
    )
    who.add_argument(
        "--registry",
        metavar="FILE",
        action="append",
        default=[],
        help="a TOML file that describes more solvers (example: --registry mine.toml)",
    )
    who.add_argument(
        "--list", action="store_true", help="list solvers and deal sets (example: --list)"
    )
    who.add_argument(
        "--set",
        metavar="NAME",
        default="ms32k",
        help="deals: a set's name, numbers and ranges, or a file of these; ms32k if not given "
        "(example: --set 1-100,617)",
    )
    who.add_argument(
        "--sample",
        metavar="N",
        type=common.whole,
        default=100,
        help="take N of them at random, 0 takes all; 100 if not given (example: --sample 500)",
    )
    who.add_argument(
        "--cells",
        metavar="N",
        type=common.whole,
        help="number of free cells; the set's if not given (example: --cells 2)",
    )
    who.add_argument(
        "--bulk",
        metavar="A-B",
        help="solve the deals A to B in one go too, a separate event (example: --bulk 1-32000)",
    )
    how = parser.add_argument_group("how")
    how.add_argument(
        "--repeat",
        metavar="N",
        type=common.whole,
        default=1,
        help="run everything N times, the median counts; 1 if not given (example: --repeat 3)",
    )
    how.add_argument(
        "--warm-up",
        metavar="N",
        type=common.whole,
        default=1,
        help="deals that each solver gets beforehand; 1 if not given (example: --warm-up 3)",
    )
    how.add_argument(
        "--seed",
        metavar="N",
        type=common.whole,
        default=1,
        help="of the sample, the order and the intervals; 1 if not given (example: --seed 7)",
    )
    how.add_argument(
        "--base",
        metavar="NAME",
        help="whom the others are compared with; the first solver if not given "
        "(example: --base fc-solve)",
    )
    how.add_argument(
        "--count-with",
        choices=POLICIES,
        default="safe",
        help="autoplay whose home moves are free when moves are counted; safe if not given "
        "(example: --count-with all)",
    )
    limits = parser.add_argument_group("limits, each for all processes of a solver together")
    for name, kind, default, what in (
        ("--time-limit", common.seconds, 10.0, "seconds for a deal; 10 if not given"),
        ("--cpu-limit", common.seconds, None, "seconds of CPU time for a deal"),
        ("--memory-limit", common.size, 4 << 30, "memory; 4G if not given"),
        ("--total-time", common.seconds, None, "seconds for all deals of a solver, and for bulk"),
        ("--total-cpu", common.seconds, None, "seconds of CPU time for the same"),
    ):
        limits.add_argument(
            name,
            metavar="SIZE" if kind is common.size else "SECONDS",
            type=kind,
            default=default,
            help=f"{what} (example: {name} {'512M' if kind is common.size else '60'})",
        )
    out = parser.add_argument_group("results")
    out.add_argument(
        "--out",
        metavar="FOLDER",
        type=common.new_file,
        default="bench-results",
        help="where rows, pictures and report.html go; bench-results if not given "
        "(example: --out results)",
    )
    out.add_argument(
        "--resume",
        action="store_true",
        help="go on with the race in that folder; say the rest again (example: --resume)",
    )
    common.add_json(out)
    common.add_quiet(out)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from fcfast.benchmark import machine, report, solvers, tables
    from fcfast.benchmark.race import Plan, Race, open_folder

    others: dict[str, Any] = {}
    for name in options.registry:
        others |= solvers.described(Path(name))
    if options.list:
        return _list(others)
    for name in ("repeat", "time_limit"):
        if not getattr(options, name) > 0:
            raise FcfastError(f"--{name.replace('_', '-')} must be more than 0")
    deals, cells = _deals(options)
    asked = [solvers.find(name, others) for name in options.solver or DEFAULT_SOLVERS]
    asked = list({solver.name: solver for solver in asked}.values())
    missing = {}
    for solver in asked:
        reason = solver.missing()
        if reason is None and cells not in solver.cells:
            reason = f"it does not play with {cells} cells"
        if reason is not None:
            missing[solver.name] = reason
            show(f"fcfast: {solver.name} does not run: {reason}", sys.stderr)
    racing = [solver for solver in asked if solver.name not in missing]
    if not racing:
        raise FcfastError("there is no solver left to race")
    base = solvers.find(options.base, others).name if options.base else racing[0].name
    if base not in {solver.name for solver in racing}:
        raise FcfastError(f"--base {base} does not race")
    plan = Plan(
        solvers=tuple(solver.name for solver in racing),
        deals=tuple(deals),
        set_name=options.set,
        cells=cells,
        seed=options.seed,
        repeat=options.repeat,
        warm_up=options.warm_up,
        time_limit=options.time_limit,
        cpu_limit=options.cpu_limit,
        memory_limit=options.memory_limit,
        total_time=options.total_time,
        total_cpu=options.total_cpu,
        bulk=_bulk(options.bulk),
        counted_with=options.count_with,
    )
    told = {
        "command": shlex.join(["fcfast", *sys.argv[1:]]),
        "date": date.today().isoformat(),
        "machine": machine.describe(),
        "missing": missing,
    }
    folder = options.out
    race = Race(plan, racing, folder)
    told = open_folder(folder, plan, options.resume, told)
    if options.resume:
        race.resume()
    interrupted = False
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended or interrupted, rows are kept
    with Progress(options.quiet) as progress:
        try:
            race.run(progress)
        except KeyboardInterrupt:
            interrupted = True
    who = {
        solver.name: {
            "summary": solver.summary,
            "version": solver.version(),
            "timed": solver.timed,
        }
        for solver in racing
    }
    results = report.Results(plan, base, race.rows, who, {**told, "finished": not interrupted})
    for line in results.write(folder):
        show(f"fcfast: {line}", sys.stderr)
    if options.json:
        print(json.dumps(results.to_json()))
    else:
        tables.show(results.tables, sys.stdout)
    show(f"fcfast: {folder / 'report.html'} has it all", sys.stderr)
    if interrupted:
        show("fcfast: interrupted; --resume goes on", sys.stderr)
        return common.Exit.INTERRUPTED
    return common.Exit.DONE


def _deals(options: argparse.Namespace) -> tuple[list[int], int]:
    from fcfast.benchmark import dealsets

    chosen = dealsets.find(options.set)
    numbers = dealsets.sample(chosen.numbers, options.sample or len(chosen.numbers), options.seed)
    return numbers, chosen.cells if options.cells is None else options.cells


def _bulk(text: str | None) -> tuple[int, int] | None:
    from fcfast.deals import parse_number

    if text is None:
        return None
    first, dash, last = text.partition("-")
    start, end = parse_number(first), parse_number(last if dash else first)
    if not 0 < start <= end < start + 1_000_000:
        raise FcfastError("--bulk takes up to a million deals: A-B")
    return start, end


def _list(others: dict[str, Any]) -> int:
    from fcfast.benchmark import dealsets, solvers

    lines = ["Solvers:"]
    for name, family in solvers.FAMILIES.items():
        lines.append(f"  {name:<16} {family.summary}{_state(family(''))}")
    lines += [f"  {name:<16} {one.summary}{_state(one)}" for name, one in others.items()]
    lines.append("Deal sets:")
    lines += [f"  {name:<16} {one.summary}" for name, one in dealsets.SETS.items()]
    show("\n".join(lines))
    return common.Exit.DONE


def _state(solver: Any) -> str:
    reason = solver.missing()
    return f"\n{'':<19}({reason})" if reason else ""
