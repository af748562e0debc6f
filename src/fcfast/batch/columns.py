"""The answers to many deals as buffers, a row a deal, which NumPy and Arrow wrap without copying.

Imports the standard library; pyarrow, NumPy and pandas where a method is asked for their types.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import accumulate
from typing import Any

# What the codes in the columns status and limit stand for: the engine's, in their order.
STATUSES = ("solved", "impossible", "limit")
LIMITS = ("", "nodes", "time", "memory", "cancelled")
CODED = {"status": STATUSES, "limit": LIMITS}

TYPES = {
    "deal": "Q",
    "status": "B",
    "limit": "B",
    "moves": "I",
    "singles": "I",
    "nodes": "Q",
    "microseconds": "Q",
}


@dataclass
class Columns:
    """Equally long columns, one row a deal.

    deal          its number
    status        0 solved, 1 impossible, 2 limit (STATUSES)
    limit         0 none, 1 nodes, 2 time, 3 memory (LIMITS): which one stopped the search
    moves         length of the solution, 0 without one
    singles       its length in movements of single cards
    nodes         positions expanded
    microseconds  time it took; two Columns are equal whatever they hold here
    steps         only where asked for: all solutions end to end, `lengths` bytes each, three a
                  movement, as result.unpack_steps() reads them
    """

    deal: array[int] = field(default_factory=partial(array, "Q"))
    status: array[int] = field(default_factory=partial(array, "B"))
    limit: array[int] = field(default_factory=partial(array, "B"))
    moves: array[int] = field(default_factory=partial(array, "I"))
    singles: array[int] = field(default_factory=partial(array, "I"))
    nodes: array[int] = field(default_factory=partial(array, "Q"))
    microseconds: array[int] = field(default_factory=partial(array, "Q"), compare=False)
    lengths: array[int] | None = None
    steps: bytes | bytearray | None = None

    def __len__(self) -> int:
        return len(self.deal)

    def append(self, other: Columns) -> None:
        """Adds the rows of another below these."""
        for name in TYPES:
            getattr(self, name).extend(getattr(other, name))
        if other.lengths is not None and other.steps is not None:
            if self.lengths is None or self.steps is None:
                self.lengths, self.steps = array("I"), bytearray()
            elif not isinstance(self.steps, bytearray):
                self.steps = bytearray(self.steps)
            self.lengths.extend(other.lengths)
            self.steps += other.steps

    @classmethod
    def joined(cls, parts: Iterable[Columns]) -> Columns:
        """One below the other."""
        whole = cls()
        for part in parts:
            whole.append(part)
        return whole

    def unsolved_rows(self) -> list[int]:
        """The indices of the rows without a solution."""
        # A regular expression looks at 2 ns a row; they are one row in 100,000.
        return [found.start() for found in re.finditer(rb"[^\0]", self.status)]

    def unsolved(self) -> Columns:
        """Only the rows without a solution, and so without steps."""
        rows = self.unsolved_rows()
        columns: dict[str, Any] = {
            name: array(code, [getattr(self, name)[row] for row in rows])
            for name, code in TYPES.items()
        }
        return Columns(**columns)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows as tuples in the order of TYPES, status and limit as text, then the steps."""
        columns: list[Iterable[Any]] = [
            map(CODED[name].__getitem__, getattr(self, name))
            if name in CODED
            else getattr(self, name)
            for name in TYPES
        ]
        if self.steps is not None:
            ends = self.offsets()
            steps = bytes(self.steps)
            columns.append(steps[ends[row] : ends[row + 1]] for row in range(len(self)))
        return zip(*columns, strict=True)

    def offsets(self) -> array[int]:
        """Where each solution begins in `steps`, and where the last one ends."""
        return array("q", accumulate(self.lengths or (), initial=0))

    def digest(self) -> str:
        """SHA-256 of all columns but microseconds: the same for every run of the same deals."""
        import hashlib

        total = hashlib.sha256()
        for name in TYPES:
            if name != "microseconds":
                total.update(getattr(self, name))
        if self.lengths is not None and self.steps is not None:
            total.update(self.lengths)
            total.update(self.steps)
        return total.hexdigest()

    # The same buffers in other libraries' clothes

    def to_numpy(self) -> dict[str, Any]:
        """NumPy arrays by name, without copying; with steps also `offsets` (see offsets())."""
        numpy = import_module("numpy")
        arrays = {
            name: numpy.frombuffer(getattr(self, name), dtype=code) for name, code in TYPES.items()
        }
        if self.steps is not None:
            arrays["steps"] = numpy.frombuffer(self.steps, dtype="B")
            arrays["offsets"] = numpy.frombuffer(self.offsets(), dtype="q")
        return arrays

    def to_arrow(self) -> Any:
        """A pyarrow.Table, without copying: status and limit are dictionaries, steps binary."""
        pa = import_module("pyarrow")

        def wrap(name: str) -> Any:
            column = getattr(self, name)
            kind = {"B": pa.uint8(), "I": pa.uint32(), "Q": pa.uint64()}[column.typecode]
            values = pa.Array.from_buffers(kind, len(column), [None, pa.py_buffer(column)])
            if name in CODED:
                return pa.DictionaryArray.from_arrays(values, pa.array(CODED[name]))
            return values

        columns = {name: wrap(name) for name in TYPES}
        if self.steps is not None:
            columns["steps"] = pa.Array.from_buffers(
                pa.large_binary(),
                len(self),
                [None, pa.py_buffer(self.offsets()), pa.py_buffer(self.steps)],
            )
        return pa.table(columns)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; status and limit are categories, steps objects of bytes."""
        pandas = import_module("pandas")
        arrays = self.to_numpy()
        frame = {
            name: pandas.Categorical.from_codes(arrays[name].astype("b"), CODED[name])
            if name in CODED
            else arrays[name]
            for name in TYPES
        }
        if self.steps is not None:
            frame["steps"] = [row[-1] for row in self.rows()]
        return pandas.DataFrame(frame, copy=False)
