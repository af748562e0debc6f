"""Proofs: an exhaustive search with certificate, checkpoints and disk; the fewest cells.

Imports cards, certificate, cores, errors, result, rules, solve, weights and the native core.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fcfast import rules
from fcfast.board import Board
from fcfast.cards import RANKS
from fcfast.cores import threads
from fcfast.errors import FcfastError
from fcfast.native import engine
from fcfast.result import Result, Stats, Status
from fcfast.rules import FREECELL, MAX_CELLS, Variant, as_variant
from fcfast.solve import DEFAULT_MEMORY_LIMIT, as_board, check_options, result_of
from fcfast.weights import weights_for

if TYPE_CHECKING:
    from pathlib import Path

    from fcfast.native.engine import Cancel

# Positions for finding a win and for proofs, in turn: with few cells a win is rare in a space that
# may be huge, and mostly found within a million positions, while most proofs take fewer than
# 100,000. Neither must wait long for the other. Without the first pair verdicts take a third longer
# where many deals are impossible (NOTES.md).
#
# Third, the ranks from which the proofs take twins for one another (native/twins.pxd). From the
# fours on 982 with two cells has 312,000 positions for more than 800 million; but a win that is met
# then decides nothing, and such a proof may wander: 3576395, 4055965 and 4440758 have more than 10
# million positions from the fours on, and 110,157 from the tens, 28,453 and 31,138 from the sixes.
# The last proof tells all cards apart and has no end but its limits.
UNLIMITED = 2**62
ALL_APART = len(RANKS)
ROUNDS = (
    (320, 5_000, (3,)),
    (30_000, 300_000, (3, 5, 9)),
    (300_000, 3_000_000, (3, 5, 9)),
    (3_000_000, 30_000_000, (3, 5, 9)),
    (0, UNLIMITED, (5, 9, ALL_APART)),
)
STEPS = tuple(
    (attempt_nodes if rank == ranks[0] else 0, proof_nodes, rank)
    for attempt_nodes, proof_nodes, ranks in ROUNDS
    for rank in ranks
)
KEY_BYTES = 15  # a position in a file
CHECKPOINT_SECONDS = 300.0
ALL_LEVELS = 1000


@dataclasses.dataclass(frozen=True)
class Proving:
    """How far a proof is: positions expanded, at what level, and what that takes.

    waiting   positions found but not yet expanded, in memory: there are at least that many more
    level     the level that is worked on; no move leads to a lower one. last is the highest with
              positions waiting, so far
    """

    positions: int
    waiting: int
    level: int
    last: int
    table_bytes: int
    seconds: float  # of all calls with one folder together

    def __str__(self) -> str:
        rate = self.positions / self.seconds if self.seconds else 0
        more = f"at least {self.waiting / rate:,.0f} s more" if rate else "just begun"
        return (
            f"{self.positions:,} positions, {rate:,.0f} a second, {self.table_bytes >> 20:,} MiB, "
            f"level {self.level} of {self.last} or more, {more}"
        )


def prove(
    source: int | Board | str,
    *,
    variant: Variant | str = FREECELL,
    cells: int | None = None,
    certificate: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    workers: int | None = 1,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[Proving], object] | None = None,
) -> Result:
    """Finds a win, or proves by visiting every position that there is none.

    source, variant, cells, limits and cancel are as in solve().

    certificate   a file to write, which check_certificate() confirms on its own
    folder        a folder to keep the state of the search in: positions there is no memory for,
                  and every five minutes and at a limit or interruption enough to go on from. A
                  later call with the same folder and board goes on. Empty again after a verdict
    workers       threads that search one table together, one a core if None
    node_limit    for the attempts to find a win and the proof together, as the other limits
    progress      called with a Proving, up to 50 times a second

    A search that has met a win but does not know the moves, and finds none in `memory_limit`
    either, ends at the limit "memory". Raises what solve() raises, FcfastError also for a folder
    that belongs to another proof, and OSError for files.
    """
    check_options("safe", node_limit, time_limit, memory_limit, cancel, progress)
    workers = threads(workers)
    variant = as_variant(variant)
    board = as_board(source, variant, cells)
    variant = variant.replace(columns=len(board.columns), cells=len(board.cells))
    left = _Left(node_limit, time_limit, memory_limit, cancel)
    with _Store(folder, certificate, board, variant) as store:
        result = _settle(board, variant, left, workers, store, progress)
        if certificate is not None and result.status is Status.SOLVED:
            from fcfast.certificate import write_solution

            write_solution(certificate, board, variant, result.moves)
        if result.status is not Status.LIMIT:
            store.clear()
    stats = dataclasses.replace(result.stats, seconds=time.monotonic() - left.started)
    if result.status is not Status.IMPOSSIBLE:
        stats = dataclasses.replace(stats, nodes=store.nodes + left.spent)
    return dataclasses.replace(result, stats=stats)


class _Left:
    """What is left of the limits, which bind all attempts and the proof together."""

    def __init__(
        self,
        nodes: int | None,
        seconds: float | None,
        memory: int | None,
        cancel: Cancel | None,
    ) -> None:
        self.started = time.monotonic()
        self.nodes = UNLIMITED if nodes is None else int(min(nodes, UNLIMITED))
        self.spent = 0
        self.end = float("inf") if seconds is None else self.started + seconds
        self.memory = DEFAULT_MEMORY_LIMIT if memory is None else memory
        self.cancel = cancel

    def spend(self, nodes: int) -> None:
        self.nodes -= nodes
        self.spent += nodes

    def seconds(self) -> float:
        return max(0.0, self.end - time.monotonic())


def _settle(
    board: Board,
    variant: Variant,
    left: _Left,
    workers: int,
    store: _Store,
    progress: Callable[[Proving], object] | None,
) -> Result:
    """Attempts to find a win and stretches of proofs by turns."""
    search = None
    too_coarse = -1  # a proof with twins from this rank on met a win, which need not be one
    goes_on_after = ("nodes",) if store.durable else ("nodes", "memory")
    first = store.step
    for step in range(first, len(STEPS)):
        attempt_nodes, _, twins_from = STEPS[step]
        memory = left.memory - (search.prover.table_bytes if search else 0)
        tries = attempt_nodes and not (store.resumed and step == first)
        if tries and (search is None or memory >= engine.LEAST_BYTES):
            # With a node limit an attempt leaves as many to the proof.
            found = _attempt(board, variant, left, min(attempt_nodes, left.nodes // 2), memory)
            if found.status is Status.SOLVED or found.limit in ("time", "cancelled"):
                return found  # if there is none, the proof says so, and of how many positions
        if twins_from <= too_coarse:
            continue
        search = search or _Search(board, variant, left, workers, store)
        search.take_up(step)
        status, limit = search.run(progress)
        if status is Status.SOLVED and search.prover.twins_from < ALL_APART:
            too_coarse = twins_from
        elif left.nodes == 0 or limit not in goes_on_after:
            break
    if status is Status.SOLVED:
        del search  # its memory is needed
        return _attempt(board, variant, left, left.nodes, left.memory)
    assert search is not None
    if status is Status.IMPOSSIBLE:
        store.certify(search.prover)
    stats = Stats(
        nodes=search.nodes,
        seconds=0,
        table_bytes=search.prover.table_bytes,
        moves=None,
        singles=None,
        lower_bound=0,
        proved=False,
        stage="proof",
    )
    return Result(board, variant, status, limit, "safe", b"", stats)


def _attempt(board: Board, variant: Variant, left: _Left, nodes: int, memory: int) -> Result:
    """solve(), in so much memory, all of which is free again afterwards."""
    tables = rules.tables(variant, variant.columns, variant.cells)
    solver = engine.Solver(tables, memory, weights_for(variant))
    found = solver.solve(
        board.pack(),
        node_limit=nodes,
        time_limit=left.seconds(),
        cancel=left.cancel,
        prove=False,
    )
    result = result_of(board, variant, "safe", *found)
    left.spend(result.stats.nodes)
    return result


class _Search:
    """A Prover, and a store for what it must put aside."""

    def __init__(
        self, board: Board, variant: Variant, left: _Left, workers: int, store: _Store
    ) -> None:
        tables = rules.tables(variant, variant.columns, variant.cells)
        self.board = board.pack()
        self.prover = engine.Prover(tables, left.memory, workers)
        self.prover.begin(self.board, twins_from=STEPS[store.step][2])
        self.left = left
        self.store = store
        self.nodes = store.nodes
        self.until_checkpoint = CHECKPOINT_SECONDS if store.durable else float("inf")
        if store.resumed:
            store.restore(self.prover)

    def take_up(self, step: int) -> None:
        """Goes on with the proof of a step, or begins it."""
        if step == self.store.step:
            return
        twins_from = STEPS[step][2]
        if self.prover.twins_from not in (twins_from, ALL_APART):
            self.prover.begin(self.board, twins_from=twins_from)
            self.store.forget()
            self.nodes = 0
        self.store.begin(step)

    def run(self, progress: Callable[[Proving], object] | None) -> tuple[Status, str | None]:
        """Goes on to the end of the step, a verdict or a limit, which it names."""
        prover, store, left = self.prover, self.store, self.left
        checkpoint = time.monotonic() + self.until_checkpoint

        def report(_: str, nodes: int, table_bytes: int) -> None:
            if progress is not None:
                seconds = store.seconds + time.monotonic() - left.started
                progress(Proving(self.nodes + nodes, *prover.waiting, table_bytes, seconds))

        while True:
            prover.last_level = min(store.levels, default=ALL_LEVELS) - 1
            try:
                status, limit, nodes, _ = prover.run(
                    node_limit=min(store.to_go, left.nodes),
                    time_limit=max(0.0, min(left.end, checkpoint) - time.monotonic()),
                    cancel=left.cancel,
                    progress=report,
                    dropped=store.add_proved if store.keeps_proved else None,
                )
            except BaseException:
                store.to_go -= prover.nodes
                store.save(prover, self.nodes + prover.nodes)
                raise
            self.nodes += nodes
            store.to_go -= nodes
            left.spend(nodes)
            if status == engine.SOLVED:
                return Status.SOLVED, None
            if status == engine.IMPOSSIBLE:
                if not store.levels:
                    return Status.IMPOSSIBLE, None
                if store.fetch(prover):
                    continue
                limit = "memory"
            elif limit == "memory" and store.durable and store.put_aside(prover):
                continue
            elif limit == "time" and left.seconds() > 0:
                store.save(prover, self.nodes)
                checkpoint = time.monotonic() + self.until_checkpoint
                continue
            store.save(prover, self.nodes)
            return Status.LIMIT, limit


class _Store:
    """Positions on disk: those proved to lead nowhere, if a certificate needs them, those of
    levels that are not due, and enough to go on from after an interruption.

        proof.json                        what proof it is, and how long the files are
        waiting-N.keys, expanded-N.keys   the table at checkpoint N
        level-L.keys                      positions of level L, some twice
        proved.keys                       what the table has dropped

    Only what proof.json names counts. It is replaced in one go when all else is written.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        certificate: str | os.PathLike[str] | None,
        board: Board,
        variant: Variant,
    ) -> None:
        import json
        from pathlib import Path  # 5 ms of an import that should be quick

        self.board, self.variant = board, variant
        self.durable = folder is not None
        self.certificate = certificate
        self.keeps_proved = certificate is not None
        self.about = {
            "board": [board.columns, board.cells, board.foundations, board.base],
            "variant": dataclasses.asdict(variant),
            "keeps_proved": self.keeps_proved,
        }
        self.about = json.loads(json.dumps(self.about))
        self.nodes = self.checkpoint = self.proved_bytes = 0
        self.begin(0)
        self.opened, self.seconds = time.monotonic(), 0.0
        self.levels: dict[int, int] = {}  # bytes
        self.resumed = False
        if folder is not None:
            self.folder = Path(folder)
            self.folder.mkdir(parents=True, exist_ok=True)
            self._open()
        else:
            import tempfile  # 5 ms of an import that should be quick

            near = None if certificate is None else Path(certificate).absolute().parent
            if near is not None:
                near.stat()  # where there is none, this names it
            self.folder = Path(tempfile.mkdtemp(prefix="fcfast-", dir=near))

    def _open(self) -> None:
        import json

        state = self.folder / "proof.json"
        if not state.exists():
            if any(self.folder.iterdir()):
                raise FcfastError(f"{self.folder} holds other files than those of a proof")
            return
        try:
            said = json.loads(state.read_text())
            if said["about"] != self.about:
                raise FcfastError(f"{self.folder} holds another proof")
            self.nodes, self.checkpoint = said["nodes"], said["checkpoint"]
            self.step, self.to_go = said["step"], said["to_go"]
            self.seconds, self.proved_bytes = said["seconds"], said["proved_bytes"]
            self.levels = {int(level): size for level, size in said["levels"].items()}
        except (LookupError, TypeError, ValueError) as error:
            if isinstance(error, FcfastError):
                raise
            raise FcfastError(f"{state} is damaged: {error}") from None
        self.resumed = True
        for level, size in self.levels.items():
            os.truncate(self._level(level), size)
        if self.keeps_proved:
            os.truncate(self._file("proved"), self.proved_bytes)

    def __enter__(self) -> _Store:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.durable:
            self.clear()
            self.folder.rmdir()

    def clear(self) -> None:
        """Leaves an empty folder."""
        for path in self.folder.iterdir():
            path.unlink()

    def begin(self, step: int) -> None:
        """Of STEPS, with all the positions it may take."""
        self.step, self.to_go = step, STEPS[step][1]

    def forget(self) -> None:
        """Makes room for another proof."""
        self.clear()
        self.nodes = self.proved_bytes = 0
        self.levels = {}

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.keys"

    def _level(self, level: int) -> Path:
        return self._file(f"level-{level}")

    def add_proved(self, keys: bytes) -> None:
        """Keeps positions from which all has been tried."""
        with self._file("proved").open("ab") as file:
            file.write(keys)
        self.proved_bytes += len(keys)

    def certify(self, prover: engine.Prover) -> None:
        """Writes the certificate, if one is wanted, of a proof that has come to its end."""
        if self.certificate is None:
            return
        from fcfast.certificate import write_closed_set

        def positions() -> Iterator[bytes]:
            if self.proved_bytes:
                yield from _pieces(self._file("proved"))
            yield from prover.positions()

        write_closed_set(
            self.certificate, self.board, self.variant, positions(), twins_from=prover.twins_from
        )

    def drop_proved(self, prover: engine.Prover) -> None:
        """Takes the positions below the lowest level with work out of the table."""
        if self.keeps_proved:
            for keys in prover.positions(0, prover.level - 1):
                self.add_proved(keys)
        prover.keep(prover.level, ALL_LEVELS)

    def put_aside(self, prover: engine.Prover) -> bool:
        """Moves all levels but the lowest with work to disk. False if that is next to nothing."""
        self.drop_proved(prover)
        level, size = prover.level, 0
        for later in range(level + 1, prover.waiting[2] + 1):
            with self._level(later).open("ab") as file:
                for keys in prover.positions(later, later):
                    file.write(keys)
                    size += len(keys)
                self.levels[later] = file.tell()
        prover.keep(level, level)
        return size * 16 > prover.table_bytes

    def fetch(self, prover: engine.Prover) -> bool:
        """Brings the lowest level on disk back into the table. False if it has no room."""
        level = min(self.levels)
        self.drop_proved(prover)
        prover.expect(self.levels[level] // KEY_BYTES)
        if not all(map(prover.put_back, _pieces(self._level(level)))):
            return False
        del self.levels[level]
        return True

    def save(self, prover: engine.Prover, nodes: int) -> None:
        """A checkpoint, where the folder is to last."""
        if not self.durable:
            return
        self.drop_proved(prover)
        last, self.checkpoint = self.checkpoint, self.checkpoint + 1
        for name, expanded in ("waiting", False), ("expanded", True):
            with self._file(f"{name}-{self.checkpoint}").open("wb") as file:
                for keys in prover.positions(expanded=expanded):
                    file.write(keys)
        state = {
            "about": self.about,
            "step": self.step,
            "to_go": self.to_go,
            "nodes": nodes,
            "seconds": self.seconds + time.monotonic() - self.opened,
            "checkpoint": self.checkpoint,
            "proved_bytes": self.proved_bytes,
            "levels": self.levels,
        }
        import json

        written = self.folder / "proof.json.new"
        written.write_text(json.dumps(state))
        written.replace(self.folder / "proof.json")
        for name in "waiting", "expanded":
            self._file(f"{name}-{last}").unlink(missing_ok=True)

    def restore(self, prover: engine.Prover) -> None:
        """Puts the last checkpoint into a table that has just begun. Raises FcfastError if the
        memory limit leaves no room for it."""
        prover.keep(ALL_LEVELS, ALL_LEVELS)
        files = [
            (self._file(f"{name}-{self.checkpoint}"), expanded)
            for name, expanded in (("waiting", False), ("expanded", True))
        ]
        prover.expect(sum(path.stat().st_size for path, _ in files) // KEY_BYTES)
        for path, expanded in files:
            for keys in _pieces(path):
                if not prover.put_back(keys, expanded):
                    raise FcfastError(f"{self.folder} needs more memory than the limit allows")


def _pieces(path: Path) -> Iterator[bytes]:
    """A file of positions, some at a time."""
    with path.open("rb") as file:
        while keys := file.read(KEY_BYTES << 16):
            yield keys


class FewestCells(int):
    """The least number of free cells with which a board can be won: an int, with both proofs.

    solution   the Result that wins with so many
    proof      the Result that it is impossible with one less; None where the cards in cells leave
               no fewer, and for 0
    """

    solution: Result
    proof: Result | None

    @classmethod
    def of(cls, solution: Result, proof: Result | None) -> FewestCells:
        """The number that two Results prove."""
        fewest = cls(len(solution.board.cells))
        fewest.solution, fewest.proof = solution, proof
        return fewest


def fewest_cells(
    source: int | Board | str,
    *,
    variant: Variant | str = FREECELL,
    workers: int | None = 1,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[Proving], object] | None = None,
) -> FewestCells | None:
    """The least number of free cells with which a board can be won, None if a limit came first.

    Tries one number after the other, from 0 or as many as hold cards, each to a verdict: a board
    that can be won with some cells can be won with more. Limits are for each number. None also
    for a board that cannot be won with as many as there may be (10).

    Raises what prove() raises.
    """
    variant = as_variant(variant)
    board = as_board(source, variant)
    held = len(board.cells) - board.free_cells
    proof = None
    for cells in range(held, MAX_CELLS + 1):
        result = prove(
            board.with_cells(cells),
            variant=variant.replace(cells=cells, dealt_to_cells=0),
            workers=workers,
            node_limit=node_limit,
            time_limit=time_limit,
            memory_limit=memory_limit,
            cancel=cancel,
            progress=progress,
        )
        if result.status is Status.SOLVED:
            return FewestCells.of(result, proof)
        if result.status is Status.LIMIT:
            return None
        proof = result
    return None
