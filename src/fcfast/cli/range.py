"""fcfast range: solves the deals of a range on all cores; reads back what it wrote."""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fcfast import solutions
from fcfast.cli import options as common
from fcfast.deals import LAST_DEAL, parse_number
from fcfast.errors import FcfastError, InvalidDeal, shown
from fcfast.rules import Variant
from fcfast.terminal import Progress, show

if TYPE_CHECKING:
    from fcfast.batch import Columns, Summary

LISTED = 20  # deals of a kind that the text names
STEP = 5  # lengths that share a line of the distribution


def add(commands: Any) -> None:
    parser = common.new_command(
        commands,
        "range",
        "solve all deals of a range, on all cores",
        "fcfast range 1 32000",
        "fcfast range 1 1000000 --out results --time-limit 60",
        "fcfast range 1 1000 --cells 2 --rows --json",
        "fcfast range 1 1000 --fewest-cells",
        "fcfast range 1 100 --goal short --time 0.1",
        "fcfast range --summary results",
    )
    for name, letter in ("first", "A"), ("last", "B"):
        parser.add_argument(
            name,
            metavar=letter,
            nargs="?",
            type=_number,
            help=f"the {name} deal, 1 to {LAST_DEAL}",
        )
    common.add_rules(parser)
    common.add_autoplay(parser)
    common.add_goal(parser)
    common.add_workers(parser)
    common.add_limits(parser, "limits, for each deal")
    files = parser.add_argument_group("files")
    files.add_argument(
        "--out",
        metavar="FOLDER",
        type=common.new_file,
        help="keep the rows in files there; started again, go on where it ended "
        "(example: --out results)",
    )
    files.add_argument(
        "--chunk",
        metavar="N",
        type=common.positive,
        help="deals a file, few where deals are hard; 100000 if not given (example: --chunk 1000)",
    )
    files.add_argument(
        "--format",
        choices=("parquet", "csv"),
        help="of the files; if not given, that of the files in the folder, else parquet if "
        "pyarrow is installed (example: --format csv)",
    )
    files.add_argument(
        "--only-unsolved",
        action="store_true",
        help="only rows of deals without a solution, and counts of all (example: --only-unsolved)",
    )
    files.add_argument(
        "--steps",
        action="store_true",
        help="keep the solutions too, three bytes a movement (example: --steps)",
    )
    files.add_argument(
        "--summary",
        metavar="FOLDER",
        help="solve nothing: check and sum up what --out wrote (example: --summary results)",
    )
    parser.add_argument(
        "--fewest-cells",
        action="store_true",
        help="find the fewest cells with which each deal can be won (example: --fewest-cells)",
    )
    parser.add_argument(
        "--rows", action="store_true", help="print a row for every deal (example: --rows)"
    )
    common.add_json(parser)
    common.add_quiet(parser)
    parser.set_defaults(run=run)


@common.checked
def _number(text: str) -> int:
    """A deal that a range can have."""
    with suppress(InvalidDeal):
        if (number := parse_number(text)) > 0:
            return number
    raise FcfastError(f"no deal {shown(text)}: ranges are within 1..{LAST_DEAL}")


def run(options: argparse.Namespace) -> int:
    if options.summary is not None:
        if options.first is not None or options.out is not None:
            raise FcfastError("--summary reads a folder: it takes no range and no --out")
        return _read_back(options)
    if options.last is None:
        raise FcfastError("range wants the first and the last deal, or --summary FOLDER")
    if options.first > options.last:
        raise FcfastError(
            f"there are no deals in {options.first}..{options.last}: name the lower number first"
        )
    if options.out is None and (options.steps or options.format or options.chunk):
        raise FcfastError("--chunk, --format and --steps are for files: add --out FOLDER")
    if options.fewest_cells:
        if options.out is not None or options.only_unsolved or options.cells is not None:
            raise FcfastError("--fewest-cells goes without --out, --only-unsolved and --cells")
        if options.goal != "any":
            raise FcfastError("--fewest-cells goes without --goal")
        return _fewest(options)
    return _solve(options)


def _solve(options: argparse.Namespace) -> int:
    from fcfast.batch.ranges import CHUNK, solve_range

    began = time.monotonic()
    variant = common.chosen_variant(options)
    limits = {
        "variant": variant,
        "autoplay": options.autoplay,
        "goal": options.goal,
        "metric": options.metric,
        **common.limits_of(options),
    }
    with Progress(options.quiet) as line, _warnings_on_stderr():
        report = _Report(line, options.last - options.first + 1, options.out is not None)
        if options.out is None:
            total = _in_passing(options, limits, report)
        else:
            total = solve_range(
                options.first,
                options.last,
                out=options.out,
                only=_only(options),
                steps=options.steps,
                workers=options.workers,
                chunk=options.chunk or CHUNK,
                format=options.format,
                progress=report,
                **limits,
            )
    if options.out is not None and options.rows:
        _print_rows_of(options, options.out, options.first, options.last)
    seconds = time.monotonic() - began
    resumed = report.resumed or 0
    new = total.deals - resumed
    about = {
        "first": options.first,
        "last": options.last,
        "variant": solutions.describe(variant),
        "autoplay": options.autoplay,
        "goal": options.goal,
        "metric": options.metric,
        "only": _only(options),
        "seconds": round(seconds, 3),
        "resumed": resumed,
    }
    before = f"; {resumed:,} were finished before" if resumed else ""
    _print_total(
        options,
        about,
        f"Deals {options.first}..{options.last} (Microsoft)",
        total,
        [f"{new:,} in {seconds:,.1f} seconds, {new / max(seconds, 1e-9):,.0f} a second{before}"],
    )
    return common.Exit.LIMIT if total.limits else common.Exit.DONE


def _fewest(options: argparse.Namespace) -> int:
    """Prints how many deals need how many cells, and rows as they come."""
    from fcfast.batch import fewest_cells_range

    began = time.monotonic()
    variant = common.chosen_variant(options)
    counts, unknown = Counter[int](), list[int]()
    deals = options.last - options.first + 1
    with Progress(options.quiet) as line:
        for deal, cells in fewest_cells_range(
            options.first,
            options.last,
            workers=options.workers,
            variant=variant,
            **common.limits_of(options),
        ):
            if options.rows and options.json:
                print(json.dumps({"deal": deal, "cells": cells}))
            elif options.rows:
                print(deal, "-" if cells is None else cells)
            if cells is None:
                unknown.append(deal)
            else:
                counts[cells] += 1
            done = counts.total() + len(unknown)
            line(f"{done:,} of {deals:,}, {len(unknown):,} at a limit", done / deals)
    seconds = time.monotonic() - began
    if options.json:
        about = {"first": options.first, "last": options.last}
        about |= {"variant": solutions.describe(variant), "seconds": round(seconds, 3)}
        print(json.dumps(about | {"fewest_cells": dict(sorted(counts.items())), "limit": unknown}))
    else:
        lines = [
            *([""] if options.rows else []),
            f"Deals {options.first}..{options.last} (Microsoft)",
            f"Variant: {solutions.describe(variant)}",
            "",
            *(
                f"{cells} cell{'s' * (cells != 1)}: {count:,}"
                for cells, count in sorted(counts.items())
            ),
        ]
        if unknown:
            shown = " ".join(map(str, unknown[:LISTED]))
            more = f" and {len(unknown) - LISTED:,} more" * (len(unknown) > LISTED)
            lines.append(f"Limit reached: {shown}{more}")
        rate = f"{deals:,} in {seconds:,.1f} seconds, {deals / max(seconds, 1e-9):,.0f} a second"
        show("\n".join([*lines, rate]))
    return common.Exit.LIMIT if unknown else common.Exit.DONE


def _in_passing(options: argparse.Namespace, limits: dict[str, Any], report: _Report) -> Summary:
    """Solves without keeping anything; prints rows as they come, by number."""
    from fcfast.batch import Summary
    from fcfast.batch.flight import Crew
    from fcfast.batch.ranges import Rows, stream
    from fcfast.batch.work import Work

    total = Summary()
    with Crew(None, options.workers) as crew:
        rows = Rows(Work(**limits), crew.stop, options.only_unsolved)
        for _, columns, summary in stream(
            crew, rows, options.first, options.last, ordered=options.rows
        ):
            if options.rows:
                _print_rows(options, columns)
            total += summary
            report(total)
    return total


def _read_back(options: argparse.Namespace) -> int:
    """Sums up a folder; rows that do not fit their file's summary make it a damaged one."""
    from fcfast.batch.folder import read_folder

    folder = Path(options.summary)
    total, covered, settings, wrong = read_folder(folder)
    if options.rows:
        _print_rows_of(options, folder, covered[0][0], covered[-1][1])
    try:
        variant = solutions.describe(Variant(**settings["variant"]))
    except TypeError as error:
        raise FcfastError(f"{folder} was written by another version of fcfast: {error}") from None
    ranges = ", ".join(f"{first}..{last}" for first, last in covered)
    about = {
        "ranges": covered,
        "damaged": wrong,
        **settings,
        "variant": variant,
    }
    _print_total(options, about, f"Deals {ranges} (Microsoft)", total, _distribution(total))
    if wrong:
        return common.complain(*wrong)
    return common.Exit.LIMIT if total.limits else common.Exit.DONE


def _only(options: argparse.Namespace) -> Literal["all", "unsolved"]:
    return "unsolved" if options.only_unsolved else "all"


class _Report:
    """The progress line; what a folder held before does not count for the speed."""

    def __init__(self, line: Progress, deals: int, folder: bool) -> None:
        self.line = line
        self.deals = deals
        self.began = time.monotonic()
        self.resumed = None if folder else 0  # the first report of a folder is what it held

    def __call__(self, total: Summary) -> None:
        if self.resumed is None:
            self.resumed = total.deals
        rate = (total.deals - self.resumed) / max(1e-9, time.monotonic() - self.began)
        left = timedelta(seconds=round((self.deals - total.deals) / rate)) if rate else "?"
        self.line(
            f"{total.deals:,} of {self.deals:,}, {rate:,.0f} a second, "
            f"{_counts(total)}, {left} left",
            total.deals / self.deals,
        )


# Output


def _print_rows_of(options: argparse.Namespace, folder: Path, first: int, last: int) -> None:
    from fcfast.batch.chunks import read_chunk
    from fcfast.batch.folder import files_of

    for begin, end, path in files_of(folder):
        if first <= begin and end <= last:
            _print_rows(options, read_chunk(path)[1])


def _print_rows(options: argparse.Namespace, columns: Columns) -> None:
    columns.steps = None
    for row in columns.rows():
        deal, status, limit, moves, singles, nodes, microseconds = row
        solved = status == "solved"
        if options.json:
            print(
                json.dumps(
                    {
                        "deal": deal,
                        "status": status,
                        "limit": limit or None,
                        "moves": moves if solved else None,
                        "singles": singles if solved else None,
                        "nodes": nodes,
                        "microseconds": microseconds,
                    }
                )
            )
        else:
            outcome = f"{moves} {singles}" if solved else f"{limit or '-'} -"
            print(f"{deal} {status} {outcome} {nodes} {microseconds}")


def _print_total(
    options: argparse.Namespace,
    about: dict[str, Any],
    heading: str,
    total: Summary,
    more: list[str],
) -> None:
    if options.json:
        print(json.dumps(about | total.to_dict()))
        return
    lines = [
        *([""] if options.rows else []),
        heading,
        f"Variant: {about['variant']}",
        "",
        f"{total.deals:,} deals: {_counts(total)}",
    ]
    for kind, deals in total.unsolved.items():
        name = "Impossible" if kind == "impossible" else f"Limit of {kind} reached"
        shown = " ".join(map(str, deals[:LISTED]))
        count = total.impossible if kind == "impossible" else total.limits[kind]
        lines.append(f"{name}: {shown}" + (f" and {count - LISTED:,} more" * (count > LISTED)))
    if total.moves:
        solved, lengths = total.solved, [*total.moves]
        average = sum(moves * count for moves, count in total.moves.items()) / solved
        lines.append(
            f"Moves: {average:.2f} on average, {min(lengths)} to {max(lengths)} "
            f"(autoplay {about['autoplay']})"
        )
    hardest = ", ".join(f"{deal} ({nodes:,} nodes)" for nodes, deal in total.hardest[:5])
    lines += [f"Hardest: {hardest}", *more]
    show("\n".join(lines))


def _counts(total: Summary) -> str:
    stopped = sum(total.limits.values())
    return f"{total.solved:,} solved, {total.impossible:,} impossible, {stopped:,} at a limit"


def _distribution(total: Summary) -> list[str]:
    """How many solutions have which length, five lengths a line."""
    bins = Counter[int]()
    for moves, count in total.moves.items():
        bins[moves // STEP] += count
    most = max(bins.values(), default=1)
    return (
        [
            f"{STEP * place:4}-{STEP * place + STEP - 1:<4} {bins[place]:>13,} "
            f"{'#' * round(40 * bins[place] / most)}".rstrip()
            for place in range(min(bins), max(bins) + 1)
        ]
        if bins
        else []
    )


@contextmanager
def _warnings_on_stderr() -> Iterator[None]:
    """Warnings in the words of the command line."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = lambda message, *_, **__: show(f"fcfast: {message}", sys.stderr)
        yield
