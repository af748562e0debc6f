"""Move and the names of places. Imports only cards and errors; notation.py reads and writes lists.

Places are one character each, as in standard FreeCell notation: columns ``1``..``9``, then ``0``,
``x``, ``y``, ``z`` for the tenth to the thirteenth; cells ``a``..``g`` and ``i``, ``j``, ``k`` (no
``h``); ``h`` is home, the foundations.
"""

from __future__ import annotations

from typing import NamedTuple

COLUMNS = "1234567890xyz"
CELLS = "abcdefgijk"
HOME = "h"


class Move(NamedTuple):
    """`count` cards from one place to another: ``Move("5", "2", 3)``."""

    source: str
    target: str
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody needs

    def __str__(self) -> str:
        return self.source + self.target
