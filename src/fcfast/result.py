"""What a search returns: Status, Stats, Result. Imports board, moves, notation (when asked)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from fcfast.moves import CELLS, COLUMNS, HOME, Move

if TYPE_CHECKING:
    from fcfast.autoplay import Policy
    from fcfast.board import Board
    from fcfast.notation import Style
    from fcfast.rules import Variant

Goal = Literal["any", "short", "optimal"]
Metric = Literal["moves", "singles"]
GOALS: tuple[Goal, ...] = get_args(Goal)
METRICS: tuple[Metric, ...] = get_args(Metric)

# Native places (native/replay.pxd): columns 0..12, cells 16..25, home 31.
PLACES = COLUMNS.ljust(16) + CELLS.ljust(15) + HOME


class Status(enum.Enum):
    """The verdict of a search."""

    SOLVED = "solved"
    """Won, with moves that have been replayed."""
    IMPOSSIBLE = "impossible"
    """Proved: an exact search of everything that can be reached found no win."""
    LIMIT = "limit"
    """Given up at a limit; Result.limit says which."""

    def __str__(self) -> str:
        return self.value


class Mark(NamedTuple):
    """A moment of a search for short solutions: something better, or a higher bound, was found.

    seconds since the start, length of the best solution (None before the first), the lower bound,
    both in the metric that was asked for, and the stage.
    """

    seconds: float
    length: int | None
    lower_bound: int
    stage: str


@dataclass(frozen=True)
class Stats:
    """What a search cost and what is known of the solution.

    nodes         positions expanded, all stages together
    seconds       wall time
    table_bytes   memory that the search's tables held at the end
    moves         length of the solution: a run moved in one go is 1, home moves that the autoplay
                  policy makes by itself are free; None without a solution
    singles       its length in movements of single cards, home moves included; None without one
    lower_bound   no solution is shorter than this; 0 under the goal "any"
    proved        is the solution proved to be a shortest one?
    stage         the search that gave the verdict
    metric        what lower_bound and proved are about: "moves" or "singles"
    history       under the goals "short" and "optimal": every improvement, in order
    """

    nodes: int
    seconds: float
    table_bytes: int
    moves: int | None
    singles: int | None
    lower_bound: int
    proved: bool
    stage: str
    metric: Metric = "moves"
    history: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Result:
    """A verdict on a board, with the solution if there is one.

    limit is "nodes", "time", "memory" or "cancelled" where status is LIMIT, else None; steps is
    the solution as the engine packs it, three bytes a move. A search for a shortest solution that
    reached a limit has the best it found.
    """

    board: Board
    variant: Variant
    status: Status
    limit: str | None
    autoplay: Policy
    steps: bytes
    stats: Stats

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every movement in order, home moves included, runs as one Move. Empty if not solved."""
        return unpack_steps(self.steps)

    def notation(self, style: Style = "standard") -> str:
        """The solution as text: "standard", "singles", "macro" or "fc-solve".

        Standard notation leaves out what the autoplay policy of this Result plays by itself.
        Raises FcfastError for an unknown style.
        """
        from fcfast.notation import write

        return write(self.board, self.moves, style, autoplay=self.autoplay, variant=self.variant)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows: the board with the verdict, and the same as text."""
        from fcfast.svg import board_svg

        verdict = f"{self.status}: {self.limit} reached" if self.limit else f"{self.status}"
        if self.moves:
            verdict += f": {self.stats.moves} moves, {self.stats.singles} singles"
        text = f"{verdict}\n\n{self.board}"
        if self.moves:
            text += f"\n\n{self.notation()}"
        return {"image/svg+xml": board_svg(self.board, verdict), "text/plain": text}


def unpack_steps(steps: bytes) -> tuple[Move, ...]:
    """The engine's steps (source, target, count; a byte each) as Moves."""
    return tuple(
        Move(PLACES[source], PLACES[target], count)
        for source, target, count in zip(steps[::3], steps[1::3], steps[2::3], strict=True)
    )


def pack_moves(moves: tuple[Move, ...]) -> bytes:
    """What unpack_steps() reads."""
    return b"".join(
        bytes((PLACES.index(move.source), PLACES.index(move.target), move.count)) for move in moves
    )
