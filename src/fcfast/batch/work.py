"""What is asked about deals, and asking the engine: the part that runs on workers.

Imports columns, solve and the engine. Everything here can be pickled and sent to another machine.
"""

from __future__ import annotations

import threading
from array import array
from dataclasses import asdict, dataclass
from typing import Any

from fcfast._version import __version__
from fcfast.autoplay import POLICIES, Policy
from fcfast.batch.columns import LIMITS, STATUSES, Columns
from fcfast.result import Goal, Metric, Result, Status
from fcfast.rules import FREECELL, Variant
from fcfast.solve import check_goal, check_options, solve, solver_for

# Per deal the search that gave the verdict (engine.STAGES) and the bytes that its tables held.
Searches = tuple["array[int]", "array[int]"]


class Stop:
    """Tells workers in this process to stop. A copy sent to another process never does."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.set, self.is_set = self._event.set, self._event.is_set

    def __reduce__(self) -> tuple[type[Stop], tuple[()]]:
        return Stop, ()


@dataclass(frozen=True)
class Work:
    """Everything that the answers depend on. Raises FcfastError for options out of range."""

    variant: Variant = FREECELL
    autoplay: Policy = "safe"
    node_limit: int | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    steps: bool = False
    goal: Goal = "any"
    metric: Metric = "moves"

    def __post_init__(self) -> None:
        check_goal(self.goal, self.metric)
        check_options(self.autoplay, self.node_limit, self.time_limit, self.memory_limit)

    def settings(self) -> dict[str, Any]:
        """As JSON has it. Another version may give other solutions, so it is one of them."""
        return {"version": __version__, **asdict(self)}

    def solve_range(self, first: int, last: int, stop: Stop) -> Columns:
        """The rows of the deals first..last. Those of a stopped call end earlier."""
        if self.goal != "any":
            return self._shortened(range(first, last + 1), stop)
        return self.solve_numbers(array("Q", range(first, last + 1)), stop)[0]

    def solve_numbers(self, numbers: array[int], stop: Stop) -> tuple[Columns, Searches]:
        """The rows of numbered deals 1 .. 2**33 - 1, and how they were found."""
        with solver_for(self.variant, self.memory_limit) as solver:
            found = solver.solve_deals(
                numbers,
                dealt_to_cells=self.variant.dealt_to_cells,
                beak=self.variant.beak,
                **self._options(stop),
            )
        return _columns(numbers, found)

    def _shortened(self, numbers: range, stop: Stop) -> Columns:
        """Rows by solve(): what these goals take leaves nothing to gain in the engine."""
        rows = Columns()
        if self.steps:
            rows.lengths, rows.steps = array("I"), bytearray()
        for number in numbers:
            result = solve(
                number,
                goal=self.goal,
                metric=self.metric,
                autoplay=self.autoplay,
                variant=self.variant,
                node_limit=self.node_limit,
                time_limit=self.time_limit,
                memory_limit=self.memory_limit,
                cancel=stop,
            )
            if stop.is_set():
                break
            _append(rows, number, result)
        return rows

    def solve_boards(
        self, columns: int, cells: int, packed: bytes, stop: Stop
    ) -> tuple[Columns, Searches]:
        """The same for boards of one shape, packed for the engine; they have no numbers."""
        with solver_for(
            self.variant.replace(columns=columns, cells=cells), self.memory_limit
        ) as solver:
            found = solver.solve_boards(packed, **self._options(stop))
        return _columns(array("Q", bytes(8 * len(found["status"]))), found)

    def _options(self, stop: Stop) -> dict[str, Any]:
        return {
            "autoplay": POLICIES.index(self.autoplay),
            "node_limit": self.node_limit,
            "time_limit": self.time_limit,
            "cancel": stop,
            "with_steps": self.steps,
        }


def _append(rows: Columns, number: int, result: Result) -> None:
    """A row; one that stopped at a limit has no solution, as in those of the engine."""
    stats, solved = result.stats, result.status is Status.SOLVED
    rows.deal.append(number)
    rows.status.append(STATUSES.index(result.status.value))
    rows.limit.append(LIMITS.index(result.limit or ""))
    rows.moves.append(stats.moves or 0 if solved else 0)
    rows.singles.append(stats.singles or 0 if solved else 0)
    rows.nodes.append(stats.nodes)
    rows.microseconds.append(round(1e6 * stats.seconds))
    if rows.lengths is not None and isinstance(rows.steps, bytearray):
        steps = result.steps if solved else b""
        rows.lengths.append(len(steps))
        rows.steps += steps


def _columns(numbers: array[int], found: dict[str, Any]) -> tuple[Columns, Searches]:
    searches = found.pop("stage"), found.pop("bytes")
    return Columns(deal=numbers[: len(searches[0])], **found), searches
