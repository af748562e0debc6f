"""What many deals came to: counts, lengths, the hardest, those without a solution. Adds up.

Imports columns.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from fcfast.batch.columns import LIMITS, STATUSES, Columns

HARDEST = 10
LISTED = 1000  # of each kind; a file of rows has them all


@dataclass
class Summary:
    """Totals over many deals. Summaries add up with +=, in any order.

    deals         how many were looked at
    solved, impossible
                  how many of them came to that
    limits        how many stopped at each limit: {"time": 2}
    moves         how many solutions have each length: {31: 5, 32: 9}
    nodes, microseconds
                  what it took, all workers together
    hardest       the deals with the most nodes, as (nodes, deal), at most ten
    unsolved      the numbers of the deals that are "impossible", and of those that stopped at a
                  limit ("nodes", "time", "memory"), the lowest thousand of each
    """

    deals: int = 0
    solved: int = 0
    impossible: int = 0
    limits: dict[str, int] = field(default_factory=dict)
    moves: dict[int, int] = field(default_factory=dict)
    nodes: int = 0
    microseconds: int = 0
    hardest: list[tuple[int, int]] = field(default_factory=list)
    unsolved: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Columns) -> Summary:
        """The summary of these rows."""
        unsolved = columns.unsolved_rows()
        lengths = Counter(columns.moves)
        lengths[0] -= len(unsolved)
        found = cls(
            deals=len(columns),
            solved=len(columns) - len(unsolved),
            moves={moves: count for moves, count in sorted(lengths.items()) if count},
            nodes=sum(columns.nodes),
            microseconds=sum(columns.microseconds),
            hardest=heapq.nlargest(HARDEST, zip(columns.nodes, columns.deal, strict=True)),
        )
        for row in unsolved:
            status, limit = columns.status[row], columns.limit[row]
            found._note(LIMITS[limit] or STATUSES[status], columns.deal[row])
        found.unsolved = _lowest(found.unsolved)
        return found

    def _note(self, kind: str, deal: int) -> None:
        if kind == "impossible":
            self.impossible += 1
        else:
            self.limits[kind] = self.limits.get(kind, 0) + 1
        self.unsolved.setdefault(kind, []).append(deal)

    def __iadd__(self, other: Summary) -> Summary:
        self.deals += other.deals
        self.solved += other.solved
        self.impossible += other.impossible
        self.limits = _added(self.limits, other.limits)
        self.moves = _added(self.moves, other.moves)
        self.nodes += other.nodes
        self.microseconds += other.microseconds
        self.hardest = heapq.nlargest(HARDEST, self.hardest + other.hardest)
        self.unsolved = _lowest(
            {
                kind: self.unsolved.get(kind, []) + other.unsolved.get(kind, [])
                for kind in self.unsolved | other.unsolved
            }
        )
        return self

    @property
    def stopped(self) -> int:
        """How many deals stopped at a limit."""
        return sum(self.limits.values())

    def fits(self, rows: Columns, only_unsolved: bool) -> bool:
        """Are these rows what the summary is of? Without the solved ones, as far as they tell."""
        if not only_unsolved:
            return self == Summary.of(rows)
        of_rows = Summary.of(rows)
        return (self.deals - self.solved, self.impossible, self.limits, self.unsolved) == (
            of_rows.deals,
            of_rows.impossible,
            of_rows.limits,
            of_rows.unsolved,
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; from_dict() reads it back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Summary:
        """Reads to_dict(), also after a journey through JSON."""
        found = cls(**values)
        found.moves = {int(length): count for length, count in found.moves.items()}
        found.hardest = [(nodes, deal) for nodes, deal in found.hardest]
        return found


def _added(one: dict[Any, int], other: dict[Any, int]) -> dict[Any, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in sorted(one | other)}


def _lowest(deals: dict[str, list[int]]) -> dict[str, list[int]]:
    return {kind: sorted(deals[kind])[:LISTED] for kind in sorted(deals)}
