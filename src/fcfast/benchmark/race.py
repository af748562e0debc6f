"""Runs a race: a row for every solver, deal and repetition, kept in a file as soon as it is there.

The order is shuffled deal by deal and solver by solver, always the same for a seed, so that a
machine that drifts favours nobody and a race that was interrupted goes on where it stopped. Imports
dealsets, judge, processes and solvers.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fcfast.autoplay import Policy
from fcfast.benchmark.judge import Judge, Judgement
from fcfast.benchmark.processes import Finished, Limits, Program, orphans_adopted, run
from fcfast.benchmark.solvers import (
    Answer,
    BulkAnswer,
    Described,
    FcSolve,
    LibrarySolver,
    ProcessSolver,
    Solver,
    Task,
    not_understood,
)
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.errors import FcfastError
from fcfast.rules import FREECELL

Row = dict[str, Any]

STARTS = 3
CHECKED_IN_BULK = 100
READY_SECONDS = 60
# Won by one move: what a solver needs for it, it needs to start.
LAST_KING = "Foundations: H-K C-K D-K S-Q\nFreecells:\n: KS\n" + ":\n" * 7
STOPPED = {
    "time": "stopped: wall time",
    "cpu": "stopped: CPU time",
    "memory": "stopped: memory",
    "output": "stopped: flooded its output",
}


@dataclass(frozen=True)
class Plan:
    """All that decides what is run. Seconds, bytes; None is no limit. `bulk` is first and last."""

    solvers: tuple[str, ...]
    deals: tuple[int, ...]
    set_name: str
    cells: int = 4
    seed: int = 1
    repeat: int = 1
    warm_up: int = 1
    time_limit: float = 10.0
    cpu_limit: float | None = None
    memory_limit: int | None = 4 << 30
    total_time: float | None = None
    total_cpu: float | None = None
    bulk: tuple[int, int] | None = None
    counted_with: Policy = "safe"


class Start(NamedTuple):
    """One run of the schedule."""

    event: str
    solver: str
    deal: int
    repetition: int


class Race:
    """A plan, the solvers it names, and the folder that keeps its rows."""

    def __init__(self, plan: Plan, solvers: Sequence[Solver], folder: Path) -> None:
        self.plan = plan
        self.solvers = {solver.name: solver for solver in solvers}
        self.rows: list[Row] = []
        self._file = folder / "rows.jsonl"
        self._judge = Judge(plan.counted_with)
        self._workers: dict[str, Program] = {}
        self._broken: dict[str, Answer] = {}
        self._spent: dict[str, tuple[float, float]] = {}
        self._began = time.time()

    def resume(self) -> None:
        """Takes over the rows that the folder holds; a half-written last one is dropped."""
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        self._file.write_text(whole, encoding="utf-8")
        for line in whole.splitlines():
            self._keep(json.loads(line))

    def run(self, say: Callable[[str], None] = lambda message: None) -> None:
        """Runs what has no row yet. Interrupted, it leaves no process, and every finished row."""
        done = {(r["event"], r["solver"], r["deal"], r["repetition"]) for r in self.rows}
        schedule = [start for start in self.schedule() if start not in done]
        with orphans_adopted(), self._file.open("a", encoding="utf-8") as file:
            try:
                if schedule:
                    self._warm_up(say)
                for index, start in enumerate(schedule):
                    say(f"{index} of {len(schedule)} runs; deal {start.deal}, {start.solver}")
                    row = self._row(start)
                    self._keep(row)
                    print(json.dumps(row), file=file, flush=True)
            finally:
                for worker in self._workers.values():
                    worker.end()
                self._workers.clear()

    def _keep(self, row: Row) -> None:
        self.rows.append(row)
        if row["event"] == "deal":
            wall, cpu = self._spent.get(row["solver"], (0.0, 0.0))
            self._spent[row["solver"]] = wall + (row["wall"] or 0), cpu + (row["cpu"] or 0)

    def schedule(self) -> Iterator[Start]:
        """Every run, in order."""
        order = random.Random(self.plan.seed)
        names = list(self.solvers)
        for repetition in range(STARTS):
            for name in order.sample(names, len(names)):
                if _can_start(self.solvers[name]):
                    yield Start("start", name, 0, repetition)
        for repetition in range(self.plan.repeat):
            for number in order.sample(self.plan.deals, len(self.plan.deals)):
                for name in order.sample(names, len(names)):
                    yield Start("deal", name, number, repetition)
        if self.plan.bulk is not None:
            for repetition in range(self.plan.repeat):
                for name in order.sample(names, len(names)):
                    if isinstance(self.solvers[name], (LibrarySolver, FcSolve)):
                        yield Start("bulk", name, self.plan.bulk[0], repetition)

    def _warm_up(self, say: Callable[[str], None]) -> None:
        """Files into caches, workers up; nothing is kept."""
        for number in self.plan.deals[: self.plan.warm_up]:
            for solver in self.solvers.values():
                say(f"warming up {solver.name}")
                self._ask(solver, self._task(number), self._limits(solver.name))

    def _row(self, start: Start) -> Row:
        solver = self.solvers[start.solver]
        started = round(time.time() - self._began, 3)
        limits = self._limits(start.solver)
        row: Row = {**start._asdict(), "started": started}
        if limits.wall <= 0 or limits.cpu <= 0:
            judged = Judgement("limit", "the total limit was reached before")
            return row | _columns(judged) | dict.fromkeys(("seconds", "wall", "cpu", "memory"))
        if start.event == "bulk":
            return row | self._bulk_row(solver)
        task = self._task(start.deal)
        finished, answer = self._ask(solver, task, limits)
        metric = solver.metric if isinstance(solver, Described) else "moves"
        judged = self._judged(task, finished, answer, metric)
        return row | _columns(judged) | _measured(finished, answer) | {"nodes": answer.nodes}

    def _judged(
        self, task: Task, finished: Finished | None, answer: Answer, metric: str
    ) -> Judgement:
        if finished is not None and finished.stopped:
            flooded = finished.stopped == "output"
            return Judgement("failed" if flooded else "limit", STOPPED[finished.stopped])
        return self._judge.judge(task, answer, metric)

    def _task(self, number: int) -> Task:
        variant = FREECELL.replace(cells=self.plan.cells)
        board = deal(number, variant) if number else Board.parse(LAST_KING, variant)
        return Task(number, board)

    def _limits(self, name: str) -> Limits:
        """What a solver may take for a deal: less when its total is nearly used up."""
        plan = self.plan
        wall, cpu = self._spent.get(name, (0.0, 0.0))
        return Limits(
            min(plan.time_limit, _or_none(plan.total_time) - wall),
            min(_or_none(plan.cpu_limit), _or_none(plan.total_cpu) - cpu),
            _or_none(plan.memory_limit),
        )

    # Asking

    def _ask(self, solver: Solver, task: Task, limits: Limits) -> tuple[Finished | None, Answer]:
        """How the run went, and what is to be understood of it; None for one that never began."""
        if isinstance(solver, LibrarySolver):
            request = json.dumps({"board": task.board.to_text()})
            finished, reply = self._ask_worker(solver, request, limits)
            if isinstance(reply, Answer):
                return finished, reply
            return finished, Answer(**reply)
        assert isinstance(solver, ProcessSolver)
        with tempfile.TemporaryDirectory(prefix="fcfast-race-") as folder:
            command, text = solver.command(task, Path(folder))
            try:
                finished = run(command, text, limits, Path(folder))
            except OSError as error:
                return None, Answer("failed", detail=f"does not start: {error.strerror}")
        return finished, Answer("gave up") if finished.stopped else solver.read(task, finished)

    def _ask_worker(
        self, solver: LibrarySolver, request: str, limits: Limits
    ) -> tuple[Finished | None, Answer | dict[str, Any]]:
        worker = self._worker(solver, limits)
        if worker is None:
            return None, self._broken[solver.name]
        finished = worker.exchange(request + "\n", limits, one_line=True)
        if finished.stopped:
            return finished, Answer("gave up")
        with suppress(ValueError):
            reply = json.loads(finished.output)
            if isinstance(reply, dict):
                return finished, reply
        return finished, not_understood(finished)

    def _worker(self, solver: LibrarySolver, limits: Limits) -> Program | None:
        """The solver's worker, started if it is not there; None if it does not start."""
        if solver.name in self._broken:
            return None
        worker = self._workers.get(solver.name)
        if worker is None or not worker.alive:
            worker = Program(solver.command(self.plan.cells), Path.cwd())
            self._workers[solver.name] = worker
            patience = Limits(READY_SECONDS, memory=limits.memory)
            ready = worker.exchange("", patience, one_line=True)
            if not ready.output.startswith('{"ready"'):
                worker.end()
                self._broken[solver.name] = not_understood(ready)
                return None
        return worker

    # Bulk

    def _bulk_row(self, solver: Solver) -> Row:
        assert self.plan.bulk is not None
        numbers = range(self.plan.bulk[0], self.plan.bulk[1] + 1)
        most = min(CHECKED_IN_BULK, len(numbers))
        at = random.Random(self.plan.seed).randint(0, len(numbers) - most)
        shown = numbers[at : at + most]
        limits = Limits(
            min(_or_none(self.plan.total_time), len(numbers) * self.plan.time_limit),
            min(_or_none(self.plan.total_cpu), len(numbers) * _or_none(self.plan.cpu_limit)),
            _or_none(self.plan.memory_limit),
        )
        finished, answer = self._ask_bulk(solver, numbers, shown, limits)
        if isinstance(answer, Answer):
            stopped = finished.stopped if finished else None
            judged = Judgement(
                "limit" if stopped else "failed", STOPPED[stopped] if stopped else answer.detail
            )
            return _columns(judged) | _measured(finished, answer)
        faults = []
        for number, solution in answer.moves.items():
            judged = self._judge.judge(self._task(number), solution)
            if judged.verdict == "wrong":
                faults.append(f"{number}: {judged.detail}")
        for number in answer.impossible:
            judged = self._judge.judge(self._task(number), Answer("impossible"))
            if judged.verdict == "wrong":
                faults.append(f"{number}: {judged.detail}")
        silent = set(shown) - set(answer.moves) - {*answer.impossible, *answer.unsolved}
        faults += [f"{number}: says solved, shows no moves" for number in sorted(silent)]
        judged = Judgement("wrong" if faults else "solved", "; ".join(faults[:3]))
        timing = Answer("solved", seconds=answer.seconds)
        return (
            _columns(judged)
            | _measured(finished, timing)
            | {
                "deals": len(numbers),
                "solved": answer.solved,
                "impossible": len(answer.impossible),
                "unsolved": len(answer.unsolved),
                "checked": len(answer.moves) + len(answer.impossible),
                "wrong": len(faults),
            }
        )

    def _ask_bulk(
        self, solver: Solver, numbers: range, shown: range, limits: Limits
    ) -> tuple[Finished | None, BulkAnswer | Answer]:
        if isinstance(solver, LibrarySolver):
            request = {"first": numbers[0], "last": numbers[-1], "show": list(shown)}
            finished, reply = self._ask_worker(solver, json.dumps(request), limits)
            if isinstance(reply, Answer):
                return finished, reply
            solutions = {
                int(number): Answer("solved", moves, reply["notation"], "off")
                for number, moves in reply["moves"].items()
            }
            told = BulkAnswer(
                reply["solved"],
                tuple(reply["impossible"]),
                tuple(reply["unsolved"]),
                reply["seconds"],
                solutions,
            )
            return finished, told
        assert isinstance(solver, FcSolve)
        with tempfile.TemporaryDirectory(prefix="fcfast-race-") as name:
            folder = Path(name)
            command = solver.bulk_command(numbers[0], numbers[-1], self.plan.cells)
            again = solver.solutions_command(shown[0], shown[-1], self.plan.cells)
            try:
                finished = run(command, "", limits, folder)
                if finished.stopped or finished.exit_code:
                    return finished, not_understood(finished)
                run(again, "", limits, folder)  # untimed: for the judge
            except OSError as error:
                return None, Answer("failed", detail=f"does not start: {error.strerror}")
            return finished, solver.read_bulk(numbers, finished, folder)


def _or_none(limit: float | None) -> float:
    return float("inf") if limit is None else limit


def _can_start(solver: Solver) -> bool:
    """Is there a start to measure: a process, and one that reads boards?"""
    return isinstance(solver, ProcessSolver) and solver.reads_boards


def _columns(judged: Judgement) -> Row:
    return asdict(judged)


def _measured(finished: Finished | None, answer: Answer) -> Row:
    """The times of a run: seconds is what counts, the call's where it was taken inside."""
    if finished is None:
        return dict.fromkeys(("seconds", "wall", "cpu", "memory"))
    inside = answer.seconds is not None
    return {
        "seconds": answer.seconds if inside else finished.wall,
        "wall": finished.wall,
        "cpu": answer.cpu if answer.cpu is not None else finished.cpu,
        "memory": finished.memory or None,  # some are over before a first look
    }


# The folder


def open_folder(folder: Path, plan: Plan, resume: bool, told: Mapping[str, Any]) -> dict[str, Any]:
    """Makes the folder of a new race and writes down its plan and what is `told` of it; for
    `resume` compares plans. Returns what was told when the race began.

    Raises FcfastError where the folder holds a race already, or another than the one to resume.
    """
    file = folder / "race.json"
    ours = json.loads(json.dumps(asdict(plan)))
    if not resume:
        if file.exists():
            raise FcfastError(f"{folder} holds a race: add --resume, or choose another --out")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "rows.jsonl").unlink(missing_ok=True)
        file.write_text(json.dumps({"plan": ours, **told}, indent=1), encoding="utf-8")
        return dict(told)
    if not file.exists():
        raise FcfastError(f"{folder} holds no race to resume")
    first: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    theirs = first.pop("plan")
    changed = [name for name in ours if ours[name] != theirs.get(name)]
    if changed:
        names = ", ".join(name.replace("_", "-") for name in changed)
        raise FcfastError(f"{folder} holds another race: {names} differ")
    return first
