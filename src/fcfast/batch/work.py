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
from fcfast.batch.columns import Columns
from fcfast.rules import FREECELL, Variant
from fcfast.solve import check_options, solver_for

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

    def __post_init__(self) -> None:
        check_options(self.autoplay, self.node_limit, self.time_limit, self.memory_limit)

    def settings(self) -> dict[str, Any]:
        """As JSON has it. Another version may give other solutions, so it is one of them."""
        return {"version": __version__, **asdict(self)}

    def solve_range(self, first: int, last: int, stop: Stop) -> Columns:
        """The rows of the deals first..last. Those of a stopped call end earlier."""
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


def _columns(numbers: array[int], found: dict[str, Any]) -> tuple[Columns, Searches]:
    searches = found.pop("stage"), found.pop("bytes")
    return Columns(deal=numbers[: len(searches[0])], **found), searches
