"""Board -> engine -> Result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from fcfast import rules
from fcfast.autoplay import POLICIES, Policy
from fcfast.board import Board
from fcfast.deals import checked, deal, is_number, laid_out, parse_number
from fcfast.errors import FcfastError, shown
from fcfast.moves import Move
from fcfast.native import engine
from fcfast.result import GOALS, METRICS, Goal, Metric, Result, Stats, Status, pack_moves
from fcfast.rules import FREECELL, Variant, as_variant

if TYPE_CHECKING:
    from fcfast.native.engine import Cancel, Progress
    from fcfast.shortest import Search

DEFAULT_MEMORY_LIMIT = 2 * 2**30
_STATUS = {
    engine.SOLVED: Status.SOLVED,
    engine.IMPOSSIBLE: Status.IMPOSSIBLE,
    engine.STOPPED: Status.LIMIT,
}
_Engine = TypeVar("_Engine", engine.Solver, engine.Shortener)
_idle: dict[tuple[type, bytes, int], list[Any]] = {}


def as_board(
    source: int | Board | str, variant: Variant = FREECELL, cells: int | None = None
) -> Board:
    """The board meant by a deal number, a Board or text (a number or a layout).

    The number of cells is `cells` where given. Else a number or text gets the variant's, and a
    Board keeps its own unless the variant is another than FREECELL. Raises InvalidDeal or
    InvalidBoard.
    """
    if cells is not None:
        variant = variant.replace(cells=cells)
    if isinstance(source, Board):
        if cells is None and variant == FREECELL:
            return source
        return source.with_cells(variant.cells)
    if isinstance(source, str) and not is_number(source):
        return Board.parse(source, variant=variant, cells=cells)
    number = parse_number(source) if isinstance(source, str) else checked(source)
    if number < 0:
        return deal(number, variant)
    return laid_out(engine.deal_packed(number, 1, 1), variant)  # deal() takes 13 us, this 1


def solve(
    source: int | Board | str,
    *,
    goal: Goal = "any",
    metric: Metric = "moves",
    autoplay: Policy = "safe",
    variant: Variant | str = FREECELL,
    cells: int | None = None,
    node_limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    improve: Iterable[Move] | None = None,
) -> Result:
    """Solves a deal number, a Board or a text.

    goal          "any": some solution, fast; "short": better and better ones until a limit, or for
                  a second or so without one; "optimal": a shortest one, with proof
    metric        what short means: "moves" or "singles"
    autoplay      the policy that moves are counted and written under; "all" is also played by,
                  so its verdict is about the game in which all that can go home does at once
    variant       the rules, or the name of a preset; `cells` overrides its number of cells
    node_limit    most positions to expand; time_limit in seconds; memory_limit in bytes for the
                  search's tables (2 GiB by default, no less than 64 KiB). When they are full, a
                  search that keeps no moves takes their place, and may yet prove that there is no
                  win
    cancel        an object with is_set(), such as threading.Event, asked every 20 ms
    progress      called as progress(stage, nodes, bytes) every 20 ms
    improve       a solution to start from, all its moves, for the goals "short" and "optimal"

    At a limit "short" returns the best solution so far as solved, "optimal" as Status.LIMIT. Their
    Stats have a lower bound, which for "any" is 0.

    Raises InvalidDeal, InvalidBoard, InvalidVariant, BadSolution for input that is none, and
    FcfastError for options out of range. Reaching a limit is a Result, not an error.
    """
    check_goal(goal, metric)
    if improve is not None and goal == "any":
        raise FcfastError("improve needs the goal short or optimal")
    check_options(autoplay, node_limit, time_limit, memory_limit, cancel, progress)
    variant = as_variant(variant)
    board = as_board(source, variant, cells)
    if (variant.columns, variant.cells) != (len(board.columns), len(board.cells)):
        variant = variant.replace(columns=len(board.columns), cells=len(board.cells))
    if goal != "any":
        from fcfast.shortest import Search

        tables = rules.tables(variant, variant.columns, variant.cells)
        search = Search(
            board.pack(),
            tables,
            metric,
            POLICIES.index(autoplay),
            node_limit,
            time_limit,
            cancel,
            progress,
        )
        if improve is not None:
            _start_from(search, board, tuple(improve), autoplay, variant)
        with (
            solver_for(variant, memory_limit) as solver,
            shortener_for(variant, memory_limit) as shortener,
        ):
            verdict = search.run(solver, shortener, goal == "optimal")
        return Result(board, variant, verdict, search.limit, autoplay, search.steps, search.stats())
    with solver_for(variant, memory_limit) as solver:
        status, limit, steps, moves, singles, nodes, seconds, table_bytes, stage = solver.solve(
            board.pack(),
            autoplay=POLICIES.index(autoplay),
            node_limit=node_limit,
            time_limit=time_limit,
            cancel=cancel,
            progress=progress,
        )
    return result_of(
        board,
        variant,
        autoplay,
        status,
        limit,
        steps,
        moves,
        singles,
        nodes,
        seconds,
        table_bytes,
        stage,
    )


def check_goal(goal: Goal, metric: Metric) -> None:
    """Raises FcfastError for what is not one of them."""
    if goal not in GOALS:
        raise FcfastError(f"goal must be one of {', '.join(GOALS)}, not {shown(goal)}")
    if metric not in METRICS:
        raise FcfastError(f"metric must be one of {', '.join(METRICS)}, not {shown(metric)}")


def check_options(
    autoplay: Policy,
    node_limit: int | None,
    time_limit: float | None,
    memory_limit: int | None,
    cancel: object = None,
    progress: object = None,
) -> None:
    """Raises FcfastError for options that no search can have."""
    if autoplay not in POLICIES:
        raise FcfastError(f"autoplay must be one of {', '.join(POLICIES)}, not {autoplay!r}")
    for name, value, least in (
        ("node_limit", node_limit, 0),
        ("time_limit", time_limit, 0),
        ("memory_limit", memory_limit, engine.LEAST_BYTES),
    ):
        try:  # float() refuses ints that the comparison takes, and takes text that it refuses
            enough = value is None or value >= least <= float(value)
        except (TypeError, ValueError, OverflowError):
            raise FcfastError(f"{name} must be a number, not {shown(value)}") from None
        if not enough:
            raise FcfastError(f"{name} must be {least} or more, not {shown(value)}")
    if memory_limit is not None and memory_limit >= 2**63:
        raise FcfastError(f"no machine has {memory_limit} bytes of memory")
    if not hasattr(cancel, "is_set") and cancel is not None:
        raise FcfastError(f"cancel must have is_set(), not be {shown(cancel)}")
    check_progress(progress)


def check_progress(progress: object) -> None:
    """Raises FcfastError for what cannot be called."""
    if not callable(progress) and progress is not None:
        raise FcfastError(f"progress must be a function, not {shown(progress)}")


def result_of(
    board: Board,
    variant: Variant,
    autoplay: Policy,
    status: int,
    limit: str | None,
    steps: bytes,
    moves: int,
    singles: int,
    nodes: int,
    seconds: float,
    table_bytes: int,
    stage: str,
) -> Result:
    """What the engine answered, as a Result."""
    solved = status == engine.SOLVED
    return Result(
        board,
        variant,
        _STATUS[status],
        limit,
        autoplay,
        steps,
        Stats(
            nodes=nodes,
            seconds=seconds,
            table_bytes=table_bytes,
            moves=moves if solved else None,
            singles=singles if solved else None,
            lower_bound=0,
            proved=False,
            stage=stage,
        ),
    )


def _start_from(
    search: Search, board: Board, moves: tuple[Move, ...], autoplay: Policy, variant: Variant
) -> None:
    """Gives a search a solution to improve on.

    Raises BadSolution, or FcfastError for one that the autoplay policy does not allow.
    """
    from fcfast.verify import verify

    verify(board, moves, variant)
    steps = pack_moves(moves)
    tally = engine.replay_steps(search.board, search.tables, steps, search.autoplay)
    if tally is None:
        raise FcfastError(f"the solution cannot be played under autoplay {autoplay}")
    search.improve(steps, *tally)


def solver_for(
    variant: Variant, memory_limit: int | None
) -> AbstractContextManager[engine.Solver]:
    """A Solver for these rules, an idle one if there is; its own for every call that runs.

    A Solver costs 30 us to make, as much as a deal takes to solve.
    """
    return _idle_or_new(engine.Solver, "fast", variant, memory_limit)


def shortener_for(
    variant: Variant, memory_limit: int | None
) -> AbstractContextManager[engine.Shortener]:
    """A Shortener for these rules, idle or new, as solver_for() has it."""
    return _idle_or_new(engine.Shortener, "short", variant, memory_limit)


@contextmanager
def _idle_or_new(
    kind: type[_Engine],
    search: Literal["fast", "short"],
    variant: Variant,
    memory_limit: int | None,
) -> Iterator[_Engine]:
    tables = rules.tables(variant, variant.columns, variant.cells)
    memory_limit = DEFAULT_MEMORY_LIMIT if memory_limit is None else memory_limit
    idle = _idle.setdefault((kind, tables, memory_limit), [])
    try:
        one: _Engine = idle.pop()
    except IndexError:
        from fcfast.weights import weights_for  # not needed before anything is solved

        one = kind(tables, memory_limit, weights_for(variant, search))
    try:
        yield one
    finally:
        if len(_idle) > 8:
            _idle.clear()
        idle.append(one)
