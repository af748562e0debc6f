"""solve_many(): deals of any kind from any iterable, a Result each.

Imports columns, flight and work. Deals go to the workers in blocks, numbers as numbers, so that
nothing of Python happens for a deal between its being read and its being a Result.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, SupportsIndex

from fcfast.autoplay import Policy
from fcfast.batch.columns import LIMITS, Columns
from fcfast.batch.flight import Crew, Pace
from fcfast.batch.work import Searches, Stop, Work
from fcfast.board import Board
from fcfast.deals import LAST_DEAL, checked, is_number, laid_out, parse_number
from fcfast.errors import FcfastError, InvalidBoard, shown
from fcfast.native import engine
from fcfast.result import Result
from fcfast.rules import FREECELL, Variant, as_variant
from fcfast.solve import as_board, result_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

AHEAD = 64  # blocks
Deal = SupportsIndex | Board | str
Shape = tuple[int, int]  # the numbers of columns and cells
Answers = dict["Shape | None", tuple[Columns, Searches]]


def solve_many(
    deals: Iterable[Deal],
    *,
    workers: int | None = None,
    executor: Executor | Callable[..., object] | None = None,
    variant: Variant | str = FREECELL,
    cells: int | None = None,
    autoplay: Policy = "safe",
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Iterator[Result]:
    """Yields a Result for each of `deals` (numbers, Boards, texts), in their order.

    `deals` is read as it is needed, some seconds' work ahead of the Result that is waited for.
    Options are as in solve(), limits for each deal, and the Results are the same; `workers` and
    `executor` are as in solve_range(). Closing the iterator, or Ctrl-C, ends all work within 100 ms
    (what an executor in another process has begun, it ends).

    A wrong number in a list, or in any other collection, raises InvalidDeal here, before anything
    is started. A board or a text that is none, and anything wrong in an iterator that can be read
    only once, raises when its turn has come, after the Results of all before it. The message names
    it: ``deals[17]: ...``. Raises FcfastError for options out of range.
    """
    work = Work(
        as_variant(variant, cells),
        autoplay,
        node_limit,
        time_limit,
        memory_limit,
        steps=True,
    )
    if isinstance(deals, (str, bytes)):
        raise FcfastError("a text is one deal; many are a list of them")
    if not isinstance(deals, Iterable):
        raise FcfastError(f"{shown(deals)} is not a list of deals, nor another iterable of them")
    if isinstance(deals, Collection):
        _check_numbers(deals)
    return _results(iter(deals), work, cells, Crew(executor, workers))


def _check_numbers(deals: Collection[Deal]) -> None:
    if isinstance(deals, range) and deals and min(deals[0], deals[-1]) > 0:
        checked(max(deals[0], deals[-1]))
        return
    for index, deal in enumerate(deals):
        if type(deal) is int and 0 < deal <= LAST_DEAL:
            continue
        with _named(index):
            if isinstance(deal, str):
                if is_number(deal):
                    parse_number(deal)
            elif not isinstance(deal, Board):
                checked(deal)


class _named:
    """Says which deal an error is about."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InvalidBoard):
            raise InvalidBoard(f"deals[{self.index}]: {fault}" for fault in error.faults) from None
        if isinstance(error, FcfastError):
            raise type(error)(f"deals[{self.index}]: {error}") from None


def _results(deals: Iterator[Deal], work: Work, cells: int | None, crew: Crew) -> Iterator[Result]:
    pace = Pace(0.02, 1000) if crew.own else Pace(0.5, 10_000)
    reader = _Reader(deals, work, cells)
    with crew:
        tasks = ((block, (block.numbers, block.packed())) for block in reader.blocks(pace))
        for block, answers in crew.in_order(_Solve(work, crew.stop), tasks, AHEAD):
            for rows, _ in answers.values():
                pace.learn(len(rows), sum(rows.microseconds))
            yield from block.results(answers)
    if reader.error is not None:
        raise reader.error


@dataclass(frozen=True)
class _Solve:
    """The task: the rows of numbered deals, and of boards by shape."""

    work: Work
    stop: Stop

    def __call__(self, numbers: array[int], packed: dict[Shape, bytes]) -> Answers:
        found: Answers = {None: self.work.solve_numbers(numbers, self.stop)}
        for shape, boards in packed.items():
            found[shape] = self.work.solve_boards(*shape, boards, self.stop)
        return found


class _Reader:
    """Reads deals into blocks. What reading raises ends them, and is kept in `error` until the
    Results of all deals before it are out."""

    def __init__(self, deals: Iterator[Deal], work: Work, cells: int | None) -> None:
        self.deals = enumerate(deals)
        self.work = work
        self.cells = cells
        self.error: Exception | None = None

    def blocks(self, pace: Pace) -> Iterator[_Block]:
        while self.error is None:
            block = _Block(self.work)
            try:
                for index, deal in islice(self.deals, pace.size):
                    if type(deal) is int and 0 < deal <= LAST_DEAL:
                        block.add_number(deal)
                    else:
                        with _named(index):
                            self._add(block, deal)
            except Exception as error:
                self.error = error
            if not block.order:
                return
            yield block

    def _add(self, block: _Block, deal: Deal) -> None:
        if isinstance(deal, str) and is_number(deal):
            deal = parse_number(deal)
        elif not isinstance(deal, (str, Board)):
            deal = checked(deal)
        if isinstance(deal, int) and deal > 0:
            block.add_number(deal)
        else:
            block.add_board(as_board(deal, self.work.variant, self.cells))


class _Block:
    """Deals that one task solves; numbers go as they are, boards grouped by shape."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.order: list[int | Board] = []
        self.numbers = array("Q")
        self.boards: dict[Shape, list[Board]] = {}

    def add_number(self, number: int) -> None:
        self.order.append(number)
        self.numbers.append(number)

    def add_board(self, board: Board) -> None:
        self.order.append(board)
        self.boards.setdefault(_shape(board), []).append(board)

    def packed(self) -> dict[Shape, bytes]:
        """The boards as solve_boards() takes them."""
        return {
            shape: b"".join(board.pack().ljust(engine.BOARD_BYTES) for board in boards)
            for shape, boards in self.boards.items()
        }

    def results(self, answers: Answers) -> Iterator[Result]:
        """The Results in the order in which the deals were added."""
        work = self.work
        rows = {shape: _rows(*found) for shape, found in answers.items()}
        rules = {
            shape: work.variant.replace(columns=shape[0], cells=shape[1]) for shape in self.boards
        }
        for deal in self.order:
            if isinstance(deal, int):
                shape, variant = None, work.variant
                board = laid_out(engine.deal_packed(deal, 0, 1), variant)
            else:
                shape, board = _shape(deal), deal
                variant = rules[shape]
            yield result_of(board, variant, work.autoplay, *next(rows[shape]))


def _shape(board: Board) -> Shape:
    return len(board.columns), len(board.cells)


def _rows(rows: Columns, searches: Searches) -> Iterator[tuple[Any, ...]]:
    """Per row what result_of() wants."""
    ends, steps = rows.offsets(), bytes(rows.steps or b"")
    for row, (stage, size) in enumerate(zip(*searches, strict=True)):
        yield (
            rows.status[row],
            LIMITS[rows.limit[row]] or None,
            steps[ends[row] : ends[row + 1]],
            rows.moves[row],
            rows.singles[row],
            rows.nodes[row],
            rows.microseconds[row] / 1e6,
            size,
            engine.STAGES[stage],
        )
