"""Move, the names of places, and singles(). notation.py reads and writes lists of moves.

Imports errors and runs; rules only inside singles(), because rules needs the names here.

Places are one character each, as in standard FreeCell notation: columns ``1``..``9``, then ``0``,
``x``, ``y``, ``z`` for the tenth to the thirteenth; cells ``a``..``g`` and ``i``, ``j``, ``k`` (no
``h``); ``h`` is home, the foundations. A card that house rules let come back from there has its
suit, ``C D H S``, as its source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from fcfast.errors import IllegalMove
from fcfast.runs import cheapest_transfer

if TYPE_CHECKING:
    from fcfast.board import Board
    from fcfast.rules import Variant

COLUMNS = "1234567890xyz"
CELLS = "abcdefgijk"
HOME = "h"
FOUNDATIONS = "CDHS"


class Move(NamedTuple):
    """`count` cards from one place to another: ``Move("5", "2", 3)``."""

    source: str
    target: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody needs

    def __str__(self) -> str:
        return f"{self.source}{self.target}"


def singles(board: Board, move: Move, variant: Variant | None = None) -> tuple[Move, ...]:
    """The fewest moves of one card each that do what `move` does, through free cells and columns.

    Through F free cells n <= F + 1 cards take 2n - 1; more go by way of empty columns. `variant`
    is FreeCell if not given. Raises InvalidMove or IllegalMove where `move` is not legal, and
    IllegalMove where house rules allow a run that no single moves can carry.
    """
    from fcfast import rules

    variant = rules.FREECELL if variant is None else variant
    reason = rules.check(board, move, variant)
    if reason is not None:
        raise IllegalMove(f"{move}: {reason}")
    if move.count == 1:
        return (move,)
    cells = "".join(place for place, card in zip(CELLS, board.cells, strict=False) if card is None)
    empty, vacates, onto_empty = "", False, False
    if variant.fill == "any":  # else no card of the run but a king at its head could use them
        empty = "".join(
            place for place, column in zip(COLUMNS, board.columns, strict=False) if not column
        )
        vacates = move.count == len(board.columns[COLUMNS.index(move.source)])
        onto_empty = move.target in empty
    columns = empty.replace(move.target, "")
    if cheapest_transfer(move.count, len(cells), len(columns), vacates, onto_empty) is None:
        raise IllegalMove(
            f"{move}: {move.count} cards cannot be moved one at a time through {len(cells)} free "
            f"cells and {len(columns)} empty columns"
        )
    return tuple(_carry(*move, cells, columns, vacates, onto_empty))


def _carry(
    source: str,
    target: str,
    count: int,
    cells: str,
    columns: str,
    vacates: bool,
    onto_empty: bool,
) -> Iterator[Move]:
    """The cheapest transfer through these free cells and empty columns, which is known to exist."""
    plan = cheapest_transfer(count, len(cells), len(columns), vacates, onto_empty)
    assert plan is not None
    parked = plan[1]
    if parked == 0:
        yield from (Move(source, cell) for cell in cells[: count - 1])
        yield Move(source, target)
        yield from (Move(cell, target) for cell in reversed(cells[: count - 1]))
        return
    park, others = columns[0], columns[1:]
    yield from _carry(source, park, parked, cells, others + target * onto_empty, False, True)
    yield from _carry(source, target, count - parked, cells, others, vacates, onto_empty)
    yield from _carry(park, target, parked, cells, others + source * vacates, True, False)
