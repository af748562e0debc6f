"""fewest_cells_range(): the fewest cells of many deals.

Imports flight, ranges and work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fcfast.batch.flight import Crew
from fcfast.batch.ranges import AHEAD, blocks, check_range
from fcfast.batch.work import Stop
from fcfast.rules import FREECELL, Variant, as_variant
from fcfast.solve import check_options

if TYPE_CHECKING:
    from concurrent.futures import Executor


def fewest_cells_range(
    first: int,
    last: int,
    *,
    workers: int | None = None,
    executor: Executor | Callable[..., Any] | None = None,
    variant: Variant | str = FREECELL,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Iterator[tuple[int, int | None]]:
    """Yields (deal, fewest_cells(deal)) for the deals first..last, by number.

    Limits are as in fewest_cells(), `memory_limit` for each worker, and None is a deal that came to
    one; `workers` and `executor` are as in solve_range(). Raises what the two raise.
    """
    first, last = check_range(first, last)
    check_options("safe", node_limit, time_limit, memory_limit)
    crew = Crew(executor, workers)
    task = _Fewest(as_variant(variant), node_limit, time_limit, memory_limit, crew.stop)
    return _found(crew, task, first, last)


def _found(crew: Crew, task: _Fewest, first: int, last: int) -> Iterator[tuple[int, int | None]]:
    pace = crew.pace()
    with crew:
        tasks = ((block, block) for block in blocks(first, last, pace))
        for _, (found, microseconds) in crew.in_order(task, tasks, AHEAD):
            pace.learn(len(found), microseconds)
            yield from found


@dataclass(frozen=True)
class _Fewest:
    """The task: the deals first..last, and the time they took."""

    variant: Variant
    node_limit: int | None
    time_limit: float | None
    memory_limit: int | None
    stop: Stop

    def __call__(self, first: int, last: int) -> tuple[list[tuple[int, int | None]], int]:
        from fcfast.proving import fewest_cells

        began = time.monotonic()
        found = []
        for deal in range(first, last + 1):
            cells = fewest_cells(
                deal,
                variant=self.variant,
                node_limit=self.node_limit,
                time_limit=self.time_limit,
                memory_limit=self.memory_limit,
                cancel=self.stop,
            )
            if self.stop.is_set():
                break
            found.append((deal, None if cells is None else int(cells)))
        return found, int(1e6 * (time.monotonic() - began))
