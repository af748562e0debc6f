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
# Under a limit: a beam for a fifteenth of it, then one for the rest, each as wide as that allows.
# The first is there for whoever interrupts the search; under a second it does not pay. Before, the
# fast search may have nearly all: a few deals take it milliseconds, and narrow beams fail on such.
ANY_SHARE = 0.97
FIRST_SHARE = 1 / 15
TWO_FROM = 1.0
TWO_FROM_NODES = 1_000_000
# How long the solution of a beam is, at a guess, for that of the fast search and of another beam.
OF_FAST, OF_BEAM = 0.64, 0.95
# Levels have room for so many positions a second; up to 2.3 million are expanded. With half as much
# 40 % of the time was left over, with twice as much narrow beams took 0.5 moves more.
FASTEST = 4e6
MOST_OF_LIMIT = 4  # no level of a beam is wider than so many times what it is on average
# Before A* no wider beam is tried than this: a shorter solution saves A* memory, not proof.
PROOF_WIDTH = 4096
# Without a limit "short" ends here, after about a second.
LAST_WIDTH = 16384
WIDEST = 1 << 22
LONG = 60  # a solution, as long as none is known


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
        limited = self.time_limit is not None or self.node_limit is not None
        paced = limited and not optimal
        self.raise_bound(shortener.lower_bound(self.board, **self.counting()))
        if not self.steps:
            share = ANY_SHARE if paced else 1
            if self.find_any(solver, share) is Status.IMPOSSIBLE:
                return Status.IMPOSSIBLE
        if paced:
            self.pace_down(shortener)
        else:
            for width in self.widths(optimal):
                if self.proved or self.limit:
                    break
                self.narrow_down(shortener, width)
        if not (self.steps or self.limit):
            if paced and self.find_any(solver) is Status.IMPOSSIBLE:
                return Status.IMPOSSIBLE
            if not (self.steps or self.limit):
                self.limit = "memory"
        if optimal and not self.proved and self.limit in (None, "memory"):
            self.limit = None
            if self.prove(shortener) is Status.IMPOSSIBLE:
                return Status.IMPOSSIBLE
        if self.proved or (self.steps and not optimal):
            self.limit = None
            return Status.SOLVED
        return Status.LIMIT

    def widths(self, optimal: bool) -> Iterator[int]:
        """Of the beams that no limit paces, to a fixed end."""
        width = FIRST_WIDTH
        while width <= (PROOF_WIDTH if optimal else LAST_WIDTH):
            yield width
            width *= GROWTH

    def pace_down(self, shortener: engine.Shortener) -> None:
        """Beams that spend what the limits leave."""
        guess, left = OF_FAST, self.left()
        seconds, nodes = left["time_limit"], left["node_limit"]
        if (seconds is None or seconds >= TWO_FROM) and (nodes is None or nodes >= TWO_FROM_NODES):
            self.narrow_down(shortener, guess=guess, share=FIRST_SHARE)
            guess = OF_BEAM
        if not (self.proved or self.limit):
            self.narrow_down(shortener, guess=guess)

    def find_any(self, solver: engine.Solver, share: float = 1) -> Status:
        """Some solution, within a share of the limits.

        Neither that nor a memory limit here ends the search: beams find solutions, and need little.
        """
        self.stage = "any"
        status, self.limit, steps, moves, singles, nodes, _, held, _ = solver.solve(
            self.board,
            autoplay=self.autoplay,
            progress=self.told("any"),
            **self.left(share),
        )
        self.spend(nodes, held)
        if status == engine.SOLVED:
            self.improve(steps, moves, singles)
        if self.limit == "memory":
            self.limit = None
        self.forgive(share)
        return Status.IMPOSSIBLE if status == engine.IMPOSSIBLE else Status.LIMIT

    def narrow_down(
        self,
        shortener: engine.Shortener,
        width: int | None = None,
        guess: float = 1,
        share: float = 1,
    ) -> None:
        """A beam of that width; without one, as wide as a share of the limits allows.

        One that had to leave nothing out has proved its length. `guess` is how long a shortest
        solution is, probably, for each move of the best.
        """
        limits, likely = self.left(share), None
        if width is None:
            best = self.best or LONG
            likely = int(guess * best)
            nodes = WIDEST * best
            if limits["node_limit"] is not None:
                nodes = min(nodes, MOST_OF_LIMIT * limits["node_limit"])
            if limits["time_limit"] is not None:
                nodes = min(nodes, int(FASTEST * limits["time_limit"]))
            width = max(FIRST_WIDTH, nodes // best)
        self.stage = f"beam {width}"
        steps, moves, singles, complete, self.limit, nodes, _, held = shortener.shorten(
            self.board,
            width,
            best=self.best,
            likely=likely,
            progress=self.told(f"beam {width:,}"),
            **self.counting(),
            **limits,
        )
        self.spend(nodes, held)
        if steps:
            self.improve(steps, moves, singles)
        if complete and self.best is not None:
            self.raise_bound(self.best)
        self.forgive(share)

    def forgive(self, share: float) -> None:
        """Only the limits themselves end the search, not a stage's share of them."""
        if share < 1 and self.limit in ("time", "nodes"):
            self.limit = None

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

    def left(self, share: float = 1) -> dict[str, Any]:
        """What the next stage may spend, a share of what is left."""
        return {
            "node_limit": (
                None if self.node_limit is None else int(share * (self.node_limit - self.nodes))
            ),
            "time_limit": (
                None
                if self.time_limit is None
                else share * max(0.0, self.time_limit - self.seconds)
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
