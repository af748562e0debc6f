"""How many single moves a run costs, and how it is best split. Pure arithmetic; imports nothing.

What the rules allow in one go is rules.run_limit; moves.singles() spells a run out.
"""

from __future__ import annotations

from functools import cache


@cache
def cheapest_transfer(
    count: int, cells: int, columns: int, vacates: bool = False, onto_empty: bool = False
) -> tuple[int, int] | None:
    """(single moves, cards to park in a column first) to move `count` cards, or None if none do.

    cells, columns  the free cells, and the empty columns that any card may use, not the target
    vacates         the run is its whole column, which is empty too once its last card has left
    onto_empty      the target is itself an empty column, of use until its first card comes

    Up to cells + 1 cards go through the cells alone, each twice but the deepest. More are moved in
    three parts: park some in an empty column, move the rest, fetch the parked. A breadth-first
    search (tests/test_moves.py) finds nothing cheaper, and no way for more than (cells + 1) *
    2**columns cards but for a whole column to an empty one, which changes nothing on the table.
    """
    if count > (cells + 1) << columns:
        return None
    if count <= cells + 1 + columns:  # every card has a place of its own
        return max(0, 2 * count - 1), int(count > cells + 1)
    plans = []
    for parked in range(1, count):
        out = cheapest_transfer(parked, cells, columns - 1 + onto_empty, False, True)
        rest = cheapest_transfer(count - parked, cells, columns - 1, vacates, onto_empty)
        back = cheapest_transfer(parked, cells, columns - 1 + vacates, True, False)
        if out and rest and back:
            plans.append((out[0] + rest[0] + back[0], parked))
    return min(plans, default=None)
