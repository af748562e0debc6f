from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

LIMITS: Mapping[int, str]
STAGES: tuple[str, str]
FAULTS: Mapping[int, str]
SOLVED: int
IMPOSSIBLE: int
STOPPED: int
BOARD_BYTES: int
COMPILER: str
FLAGS: str
LEAST_BYTES: int
COLUMNS: Mapping[str, str]

class Cancel(Protocol):
    def is_set(self) -> bool: ...

Progress = Callable[[str, int, int], object]

class Solver:
    children: int
    def __init__(self, tables: bytes, memory_limit: int, net: bytes | None = None) -> None: ...
    def set_stages(
        self, stages: Sequence[tuple[int, int, int, int, int, int, bool]]
    ) -> None: ...
    def solve(
        self,
        packed: bytes,
        *,
        autoplay: int = ...,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        progress: Progress | None = ...,
        prove: bool = ...,
    ) -> tuple[int, str | None, bytes, int, int, int, float, int, str]: ...
    def solve_deals(
        self,
        numbers: array[int],
        *,
        dealt_to_cells: int = ...,
        beak: bool = ...,
        autoplay: int = ...,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        with_steps: bool = ...,
    ) -> dict[str, Any]: ...
    def solve_boards(
        self,
        boards: bytes,
        *,
        autoplay: int = ...,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        with_steps: bool = ...,
    ) -> dict[str, Any]: ...

class Shortener:
    def __init__(self, tables: bytes, memory_limit: int, net: bytes | None = ...) -> None: ...
    def lower_bound(self, packed: bytes, *, autoplay: int = ..., singles: bool = ...) -> int: ...
    def shorten(
        self,
        packed: bytes,
        width: int,
        *,
        autoplay: int = ...,
        singles: bool = ...,
        best: int | None = ...,
        likely: int | None = ...,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        progress: Callable[[int, int], object] | None = ...,
    ) -> tuple[bytes, int, int, bool, str | None, int, float, int]: ...
    def prove(
        self,
        packed: bytes,
        *,
        autoplay: int = ...,
        singles: bool = ...,
        best: int | None = ...,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        progress: Callable[[int | None, int, int, int], object] | None = ...,
    ) -> tuple[bytes, int, int, int | None, str | None, int, float, int]: ...

    def all_shortest(
        self,
        packed: bytes,
        length: int,
        *,
        autoplay: int = ...,
        singles: bool = ...,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        progress: Callable[[int | None, int, int, int], object] | None = ...,
    ) -> tuple[array[int], int, str | None, int]: ...
    def written(
        self, packed: bytes, moves: Sequence[int], *, autoplay: int = ..., singles: bool = ...
    ) -> bytes: ...

class Prover:
    last_level: int
    @property
    def level(self) -> int: ...
    @property
    def waiting(self) -> tuple[int, int, int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def twins_from(self) -> int: ...
    @property
    def peak(self) -> int: ...
    @property
    def enclosed(self) -> int: ...
    @property
    def table_bytes(self) -> int: ...
    def __init__(self, tables: bytes, memory_limit: int, workers: int = ...) -> None: ...
    def begin(self, packed: bytes, autoplay: int = ..., twins_from: int = ...) -> None: ...
    def drop_enclosed(
        self, dropped: Callable[[bytes], object] | None = ..., least: int = ...
    ) -> bool: ...
    def run(
        self,
        *,
        node_limit: int | None = ...,
        time_limit: float | None = ...,
        cancel: Cancel | None = ...,
        progress: Progress | None = ...,
        dropped: Callable[[bytes], object] | None = ...,
    ) -> tuple[int, str | None, int, float]: ...
    def positions(
        self, low: int = ..., high: int = ..., expanded: bool | None = ...
    ) -> Iterator[bytes]: ...
    def expect(self, positions: int) -> None: ...
    def put_back(self, keys: bytes, expanded: bool = ...) -> bool: ...
    def keep(self, low: int, high: int) -> None: ...

class ClosedSet:
    def __init__(
        self, packed: bytes, tables: bytes, count: int, runs: bool, twins_from: int = ...
    ) -> None: ...
    def add(self, keys: bytes) -> None: ...
    def faults(self) -> list[str]: ...

def has_avx2() -> bool: ...
def legal_moves(packed: bytes, tables: bytes) -> list[tuple[int, int, int]]: ...
def apply_move(packed: bytes, tables: bytes, index: int) -> tuple[bytes, bytes]: ...
def evaluate(packed: bytes, tables: bytes) -> int: ...
def key(packed: bytes, tables: bytes, deal: bytes) -> tuple[int, int]: ...
def board_of_key(words: tuple[int, int], tables: bytes, deal: bytes) -> bytes: ...
def replay_steps(
    packed: bytes, tables: bytes, steps: bytes, autoplay: int = ...
) -> tuple[int, int] | None: ...
def perft(packed: bytes, tables: bytes, depth: int) -> int: ...
def deal_packed(first: int, step: int, count: int) -> bytes: ...
def csv_rows(columns: list[array[int]], words: list[list[bytes] | None]) -> bytes: ...
def find_wanted(sets: bytes, span: int, first: int, last: int) -> list[int]: ...
def plain_verdict(packed: bytes, tables: bytes, most: int) -> bool | None: ...
