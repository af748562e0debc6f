"""The goals "short" and "optimal": better and better solutions, and proofs that none is shorter.

Stages: some solution, fast; beams of growing width, each looking only for less than the best so
far; for "optimal" then A*, which ends with a proof. all_shortest() then finds the others of that
length. Imports solve, result and native.engine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from fcfast.autoplay import POLICIES
from fcfast.errors import FcfastError, whole
from fcfast.native import engine
from fcfast.result import Mark, Metric, Result, Stats, Status, unpack_steps
from fcfast.solve import check_options, shortener_for

if TYPE_CHECKING:
    from array import array

    from fcfast.moves import Move
    from fcfast.native.engine import Cancel, Progress

FIRST_WIDTH = 64
GROWTH = 4
# Under a time limit: a beam at once (0.4 ms), one for a fifteenth of the time if that is at least
# twice as wide, and one for the rest. In 100 ms that finds 26.08 moves on average (300001..300400),
# the widths above 26.35.
AT_ONCE = 16
FIFTEENTH = 15
MOST_GROWTH = 64
# Before A* no wider beam is tried than this: a shorter solution saves A* memory, not proof.
PROOF_WIDTH = 4096
# Without a limit "short" ends here, after about a second.
LAST_WIDTH = 16384
WIDEST = 1 << 22


@dataclass
class Search:
    """One search for a short solution: what is asked for, what is left of the limits, the best."""

    board: bytes
    tables: bytes
    metric: Metric
    autoplay: int
    node_limit: int | None
    time_limit: float | None
    cancel: Cancel | None
    progress: Progress | None
    steps: bytes = b""
    moves: int | None = None
    singles: int | None = None
    bound: int = 0
    nodes: int = 0
    table_bytes: int = 0
    stage: str = ""
    limit: str | None = None
    history: list[Mark] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    @property
    def best(self) -> int | None:
        """The length of the best solution in the metric that is asked for."""
        return self.singles if self.metric == "singles" else self.moves

    @property
    def proved(self) -> bool:
        """Is the best solution proved to be a shortest one?"""
        return self.best is not None and self.best <= self.bound

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.perf_counter() - self.started

    def run(self, solver: engine.Solver, shortener: engine.Shortener, optimal: bool) -> Status:
        """All stages in turn; the verdict."""
        self.raise_bound(shortener.lower_bound(self.board, **self.counting()))
        if not self.steps and self.find_any(solver) is Status.IMPOSSIBLE:
            return Status.IMPOSSIBLE
        for width in self.widths(optimal):
            if self.proved or self.limit:
                break
            self.narrow_down(shortener, width)
        if optimal and not self.proved and self.limit in (None, "memory"):
            self.limit = None
            if self.prove(shortener) is Status.IMPOSSIBLE:
                return Status.IMPOSSIBLE
        if self.proved or (self.steps and not optimal):
            self.limit = None
            return Status.SOLVED
        return Status.LIMIT

    def widths(self, optimal: bool) -> Iterator[int]:
        """Of the beams: to a fixed end, as long as the limits allow, or as the time limit is."""
        if self.time_limit is not None and self.node_limit is None and not optimal:
            yield from self.fitting_widths(self.time_limit)
            return
        last = PROOF_WIDTH if optimal else LAST_WIDTH if self.node_limit is None else WIDEST
        width = FIRST_WIDTH
        while width <= last:
            yield width
            width *= GROWTH

    def fitting_widths(self, time_limit: float) -> Iterator[int]:
        """Judges by the time of the beam before how wide one can be that ends in time."""
        width = AT_ONCE
        while width <= WIDEST:
            began = self.seconds
            yield width
            time_left = time_limit - self.seconds
            room = min(MOST_GROWTH, time_left / (self.seconds - began)) * width
            most = room if width < FIRST_WIDTH else 0.9 * room  # narrow ones take longer a position
            if most < 1.3 * width:
                return
            width = int(room / FIFTEENTH if room / FIFTEENTH >= 2 * width else most)

    def find_any(self, solver: engine.Solver) -> Status:
        """Some solution. A memory limit there does not end the search: beams need little."""
        self.stage = "any"
        status, self.limit, steps, moves, singles, nodes, _, held, _ = solver.solve(
            self.board,
            autoplay=self.autoplay,
            progress=self.told("any"),
            **self.left(),
        )
        self.spend(nodes, held)
        if status == engine.SOLVED:
            self.improve(steps, moves, singles)
        if self.limit == "memory":
            self.limit = None
        return Status.IMPOSSIBLE if status == engine.IMPOSSIBLE else Status.LIMIT

    def narrow_down(self, shortener: engine.Shortener, width: int) -> None:
        """A beam; one that had to leave nothing out has proved its length."""
        self.stage = f"beam {width}"
        steps, moves, singles, complete, self.limit, nodes, _, held = shortener.shorten(
            self.board,
            width,
            best=self.best,
            progress=self.told(f"beam {width:,}"),
            **self.counting(),
            **self.left(),
        )
        self.spend(nodes, held)
        if steps:
            self.improve(steps, moves, singles)
        if complete and self.best is not None:
            self.raise_bound(self.best)

    def prove(self, shortener: engine.Shortener) -> Status:
        """A*: a shortest solution, or the highest bound that the limits allow."""
        self.stage = "A*"

        def told(length: int | None, bound: int, nodes: int, held: int) -> None:
            if self.progress is not None:
                line = self.described(f"A* level {bound}", length, bound)
                self.progress(line, self.nodes + nodes, held)
            self.raise_bound(bound)

        steps, moves, singles, bound, self.limit, nodes, _, held = shortener.prove(
            self.board, best=self.best, progress=told, **self.counting(), **self.left()
        )
        self.spend(nodes, held)
        if bound is None:
            return Status.IMPOSSIBLE
        if steps:
            self.improve(steps, moves, singles)
        self.raise_bound(bound)
        return Status.LIMIT

    def improve(self, steps: bytes, moves: int, singles: int) -> None:
        """Takes a solution if it is the shortest so far."""
        length = singles if self.metric == "singles" else moves
        if self.best is None or length < self.best:
            self.steps, self.moves, self.singles = steps, moves, singles
            self.mark()

    def raise_bound(self, bound: int) -> None:
        """Takes a proved lower bound if it is the highest so far."""
        if bound > self.bound:
            self.bound = bound
            self.mark()

    def mark(self) -> None:
        """Adds a line to the history."""
        self.history.append(Mark(self.seconds, self.best, self.bound, self.stage))

    def spend(self, nodes: int, held: int) -> None:
        """Counts what a stage took."""
        self.nodes += nodes
        self.table_bytes = max(self.table_bytes, held)

    def left(self) -> dict[str, Any]:
        """What the next stage may spend."""
        return {
            "node_limit": None if self.node_limit is None else self.node_limit - self.nodes,
            "time_limit": (
                None if self.time_limit is None else max(0.0, self.time_limit - self.seconds)
            ),
            "cancel": self.cancel,
        }

    def counting(self) -> dict[str, Any]:
        """How the engine is to count."""
        return {"autoplay": self.autoplay, "singles": self.metric == "singles"}

    def told(self, stage: str) -> Any:
        """The engine's progress in the words of the caller's."""
        if self.progress is None:
            return None
        progress, line = self.progress, self.described(stage, self.best, self.bound)

        def tell(*report: Any) -> None:
            *_, nodes, held = report
            progress(line, self.nodes + nodes, held)

        return tell

    def described(self, stage: str, length: int | None, bound: int) -> str:
        """The line that is shown while a stage runs."""
        return f"{stage}, best {'none' if length is None else length}, bound {bound}"

    def stats(self) -> Stats:
        """What the search cost and proved."""
        return Stats(
            nodes=self.nodes,
            seconds=self.seconds,
            table_bytes=self.table_bytes,
            moves=self.moves,
            singles=self.singles,
            lower_bound=self.bound,
            proved=self.proved,
            stage=self.stage,
            metric=self.metric,
            history=tuple(self.history),
        )


@dataclass(frozen=True)
class AllShortest:
    """How many different shortest solutions there are, and some of them.

    count is None where a limit was reached, which `limit` names.
    """

    count: int | None
    solutions: tuple[tuple[Move, ...], ...]
    limit: str | None


def all_shortest(
    result: Result,
    most: int = 0,
    *,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> AllShortest:
    """Counts the shortest solutions of a board, and lists at most `most`, given a proved one.

    Two are different if they pass through different positions, after each move and what goes home
    by itself. In singles and under autoplay "off" that is all that is of no further use, so that
    solutions that differ only in when such cards go home count once. Limits are as in solve().

    Raises FcfastError for a Result without proof and for options out of range.
    """
    if not result.stats.proved:
        raise FcfastError("the result has no proof that its solution is a shortest one")
    check_options(result.autoplay, node_limit, time_limit, memory_limit, cancel, progress)
    most = whole("most", most, 0)
    stats, board = result.stats, result.board.pack()
    singles = stats.metric == "singles"
    counting: dict[str, Any] = {"autoplay": POLICIES.index(result.autoplay), "singles": singles}

    def told(length: int | None, bound: int, nodes: int, held: int) -> None:
        if progress is not None:
            progress(f"all of length {stats.lower_bound}, level {bound}", nodes, held)

    with shortener_for(result.variant, memory_limit) as shortener:
        links, won, limit, _ = shortener.all_shortest(
            board,
            stats.lower_bound,
            node_limit=node_limit,
            time_limit=time_limit,
            cancel=cancel,
            progress=told,
            **counting,
        )
        if limit is not None:
            return AllShortest(None, (), limit)
        ways, onward = _ways(links, won)
        listed = (
            unpack_steps(shortener.written(board, moves, **counting))
            for moves in islice(_paths(onward, 0, won), most)
        )
        return AllShortest(ways, tuple(listed), None)


Onward = dict[int, list[tuple[int, int]]]


def _ways(links: array[int], won: int) -> tuple[int, Onward]:
    """The number of paths from position 0, and the moves onward from each position."""
    ways = {won: 1}
    onward: Onward = {}
    for at, following, move in zip(links[::3], links[1::3], links[2::3], strict=True):
        ways[at] = ways.get(at, 0) + ways[following]
        onward.setdefault(at, []).append((following, move))
    return ways[0], onward


def _paths(onward: Onward, at: int, won: int) -> Iterator[list[int]]:
    """The moves of every path."""
    if at == won:
        yield []
    for following, move in onward.get(at, ()):
        for rest in _paths(onward, following, won):
            yield [move, *rest]
