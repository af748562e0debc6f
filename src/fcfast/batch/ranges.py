"""solve_range(): the deals first..last, in memory or as a folder of chunks.

Imports the rest of batch but many.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from fcfast.autoplay import Policy
from fcfast.batch.columns import Columns
from fcfast.batch.flight import Crew, Pace
from fcfast.batch.summary import Summary
from fcfast.batch.work import Stop, Work
from fcfast.deals import ALLOWED, LAST_DEAL
from fcfast.errors import FcfastError, InvalidDeal, whole
from fcfast.result import Goal, Metric
from fcfast.rules import FREECELL, Variant, as_variant
from fcfast.solve import check_progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from fcfast.batch.chunks import Kind

CHUNK = 100_000
AHEAD = 1000  # blocks that wait for an earlier one, where rows are wanted in order
Only = Literal["all", "unsolved"]
Report = Callable[[Summary], object]


@overload
def solve_range(first: int, last: int, *, out: None = None, **options: Any) -> Columns: ...


@overload
def solve_range(
    first: int, last: int, *, out: str | os.PathLike[str], **options: Any
) -> Summary: ...


def solve_range(  # type: ignore[misc]  # the overloads leave the options to this signature
    first: int,
    last: int,
    *,
    out: str | os.PathLike[str] | None = None,
    only: Only = "all",
    steps: bool = False,
    workers: int | None = None,
    executor: Executor | Callable[..., Any] | None = None,
    chunk: int = CHUNK,
    format: str | None = None,
    goal: Goal = "any",
    metric: Metric = "moves",
    variant: Variant | str = FREECELL,
    cells: int | None = None,
    autoplay: Policy = "safe",
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: Report | None = None,
) -> Columns | Summary:
    """Solves the numbered deals first..last; returns Columns, or with `out` their Summary.

    out        a folder, which gets a file for every `chunk` deals, named after them. A second call
               goes on where the first one ended, however that was; it raises FcfastError for a
               folder made with other settings, or one that another call is at work in. A file that
               is damaged is named in a warning and made again
    only       "unsolved": keep only the rows of deals without a solution, and the counts of all
    steps      keep the solutions too
    workers    threads, one a core if None, each with one Solver; with an executor, how many
               workers it has (twice as many tasks are in flight; 64 if None)
    executor   see README: anything with submit(), or called like map(). Its workers write the
               files of `out` themselves, so it has to be a folder that all of them share
    format     of the files: "parquet" or "csv"; if None, that of those in the folder, else
               parquet where pyarrow is installed
    progress   called as progress(summary) now and then, with what is known so far

    The rest is as in solve(); limits are for each deal. The rows do not depend on who solved them,
    but for `microseconds`, and for what a time limit leaves the goals "short" and "optimal".

    Raises InvalidDeal, InvalidVariant, FcfastError for wrong arguments, OSError where a file cannot
    be written; the files finished before stay.
    """
    first, last = check_range(first, last)
    if only not in ("all", "unsolved"):
        raise FcfastError(f"only must be all or unsolved, not {only!r}")
    if only == "unsolved" and steps:
        raise FcfastError("deals that are not solved have no steps to keep")
    chunk = whole("chunk", chunk, 1)
    check_progress(progress)
    work = Work(
        as_variant(variant, cells),
        autoplay,
        node_limit,
        time_limit,
        memory_limit,
        steps,
        goal,
        metric,
    )
    report = progress or (lambda _: None)
    if out == "":
        raise FcfastError("out must name a folder; the one you are in is '.'")
    if out is None:
        with Crew(executor, workers) as crew:
            return _in_memory(crew, Rows(work, crew.stop, only == "unsolved"), first, last, report)
    from fcfast.batch.chunks import Kind, chosen_format
    from fcfast.batch.folder import format_in

    kind = Kind(work, only == "unsolved", chosen_format(format or format_in(Path(out))))
    return _in_folder(executor, workers, Path(out), kind, first, last, chunk, report)


def check_range(first: SupportsIndex, last: SupportsIndex) -> tuple[int, int]:
    """Both as ints. Raises InvalidDeal unless first..last are deals or, as in 5..4, none."""
    try:
        begin, end = operator.index(first), operator.index(last)
    except TypeError:
        raise InvalidDeal(f"no range {first!r}..{last!r}: {ALLOWED}") from None
    if not 1 <= begin <= end + 1 <= LAST_DEAL + 1:
        raise InvalidDeal(f"no range {begin}..{end}: it goes upwards, within 1..{LAST_DEAL}")
    return begin, end


@dataclass(frozen=True)
class Rows:
    """The task whose rows come back."""

    work: Work
    stop: Stop
    only_unsolved: bool = False

    def __call__(self, first: int, last: int) -> tuple[Columns, Summary]:
        rows = self.work.solve_range(first, last, self.stop)
        summary = Summary.of(rows)
        return (rows.unsolved() if self.only_unsolved else rows), summary


@dataclass(frozen=True)
class WriteChunk:
    """The task that writes a file and returns only what it came to."""

    rows: Rows
    folder: Path
    kind: Kind

    def __call__(self, first: int, last: int) -> Summary:
        from fcfast.batch.chunks import write_chunk

        rows, summary = self.rows(first, last)
        if summary.deals == last - first + 1:  # else it was stopped
            write_chunk(self.folder, self.kind, first, last, rows, summary)
        return summary


def blocks(first: int, last: int, pace: Pace) -> Iterator[tuple[int, int]]:
    """first..last in pieces as large as the pace says when they are asked for."""
    while first <= last:
        end = min(last, first + pace.size - 1)
        yield first, end
        first = end + 1


def stream(
    crew: Crew, rows: Rows, first: int, last: int, ordered: bool = False
) -> Iterator[tuple[int, Columns, Summary]]:
    """(first, rows, summary) block by block, as they are done or by number."""
    pace = crew.pace()
    tasks = ((block[0], block) for block in blocks(first, last, pace))
    found = crew.in_order(rows, tasks, AHEAD) if ordered else crew.as_done(rows, tasks)
    for begin, (columns, summary) in found:
        pace.learn(summary.deals, summary.microseconds)
        yield begin, columns, summary


def _in_memory(crew: Crew, rows: Rows, first: int, last: int, report: Report) -> Columns:
    total, parts = Summary(), dict[int, Columns]()
    for begin, columns, summary in stream(crew, rows, first, last):
        parts[begin] = columns
        total += summary
        report(total)
    return Columns.joined(parts.pop(begin) for begin in sorted(parts))


def _in_folder(
    executor: Executor | Callable[..., Any] | None,
    workers: int | None,
    out: Path,
    kind: Kind,
    first: int,
    last: int,
    size: int,
    report: Report,
) -> Summary:
    from fcfast.batch import folder

    with folder.working_on(out), Crew(executor, workers) as crew:
        folder.clean_up(out)
        total, done = Summary(), list[tuple[int, int]]()
        for chunk in folder.finished(out, kind, first, last):
            total += chunk.summary
            done.append((chunk.first, chunk.last))
        report(total)
        left = folder.left(done, first, last, size)
        rows = Rows(kind.work, crew.stop, kind.only_unsolved)
        write = WriteChunk(rows, out.absolute(), kind)
        made = _by_threads(crew, write, left) if crew.own else _by_executor(crew, write, left)
        for summary in made:
            total += summary
            report(total)
    if total.deals != last - first + 1:
        raise AssertionError(f"{total.deals} deals were counted in {first}..{last}")
    return total


def _by_executor(
    crew: Crew, write: WriteChunk, left: Iterator[tuple[int, int]]
) -> Iterator[Summary]:
    """A chunk a task."""
    from fcfast.batch.chunks import chunk_name

    for (first, last), summary in crew.as_done(write, ((chunk, chunk) for chunk in left)):
        path = write.folder / chunk_name(first, last, write.kind.format)
        if not path.exists():
            raise FileNotFoundError(
                f"a worker has written {path}, but it is not here: do all share that folder?"
            )
        yield summary


def _by_threads(
    crew: Crew, write: WriteChunk, left: Iterator[tuple[int, int]]
) -> Iterator[Summary]:
    """Blocks of chunks to threads, so that they share a chunk and a hard deal holds up few."""
    from fcfast.batch.chunks import write_chunk

    pace = crew.pace()
    tasks = (((chunk, block[0]), block) for chunk in left for block in blocks(*chunk, pace))
    parts: dict[tuple[int, int], dict[int, Columns]] = {}
    totals: dict[tuple[int, int], Summary] = {}
    for (chunk, begin), (rows, summary) in crew.as_done(write.rows, tasks):
        pace.learn(summary.deals, summary.microseconds)
        first, last = chunk
        parts.setdefault(chunk, {})[begin] = rows
        totals.setdefault(chunk, Summary())
        totals[chunk] += summary
        if totals[chunk].deals == last - first + 1:
            of_chunk = parts.pop(chunk)
            joined = Columns.joined(of_chunk[begin] for begin in sorted(of_chunk))
            write_chunk(write.folder, write.kind, first, last, joined, totals.pop(chunk))
        yield summary
