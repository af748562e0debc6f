"""What an answer is worth: solutions are replayed, impossibilities compared with proofs.

Imports notation, solve, verify and the rest of the Python side; the replay is verify.py's, which
shares nothing with any search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fcfast.autoplay import Policy
from fcfast.benchmark.solvers import Answer, Task
from fcfast.errors import BadSolution, FcfastError
from fcfast.notation import count_moves, count_singles
from fcfast.notation import read as read_moves
from fcfast.result import Status
from fcfast.rules import FREECELL
from fcfast.solve import solve
from fcfast.verify import verify

Verdict = Literal["solved", "impossible", "unchecked", "limit", "failed", "wrong"]
PROOF_SECONDS = 60


@dataclass(frozen=True)
class Judgement:
    """The verdict on an answer, why, and the length of its solution in both metrics.

    solved      its moves win
    impossible  it says so, and it is proved
    unchecked   a verdict without moves that nothing contradicts, or one we could not prove
    limit       it gave up, or was stopped at a limit
    failed      it crashed, or nothing is to be understood of what it said
    wrong       its moves do not win, or what it called impossible is won, or the reverse
    """

    verdict: Verdict
    detail: str = ""
    moves: int | None = None
    singles: int | None = None
    notation: str | None = None
    autoplay: str | None = None


class Judge:
    """Judges answers; a deal is proved or won by our own search at most once."""

    def __init__(self, counted_with: Policy) -> None:
        self.counted_with = counted_with
        self._known: dict[tuple[int, int], Status] = {}

    def judge(self, task: Task, answer: Answer, metric: str = "moves") -> Judgement:
        """What the answer to the task is worth; `metric` is what the answer's own length counts."""
        if answer.claim == "gave up":
            return Judgement("limit", answer.detail or "gave up")
        if answer.claim == "failed":
            return Judgement("failed", answer.detail)
        if answer.claim == "impossible":
            return self._impossible(task)
        if answer.moves is None:
            return self._solved_without_moves(task)
        return self._solved(task, answer, metric)

    def _solved(self, task: Task, answer: Answer, metric: str) -> Judgement:
        variant = FREECELL.replace(cells=task.cells)
        try:
            reading = read_moves(
                task.board, answer.moves or "", variant, answer.autoplay, answer.notation
            )
            verify(task.board, reading.moves, variant)
        except BadSolution as error:
            return Judgement("wrong", f"says solved; {error}")
        except FcfastError as error:
            return Judgement("wrong", f"says solved, cannot be replayed: {error}")
        try:
            moves = count_moves(task.board, reading.moves, self.counted_with, variant)
        except FcfastError:  # autoplay "all" takes away a card that this solution needs
            moves = None
        singles = count_singles(task.board, reading.moves, variant)
        detail = ""
        ours = {"moves": moves, "singles": singles}[metric]
        if answer.length not in (None, ours):
            detail = f"counts {answer.length} {metric}, we {ours}"
        return Judgement("solved", detail, moves, singles, reading.style, reading.autoplay)

    def _solved_without_moves(self, task: Task) -> Judgement:
        if self._truth(task) is Status.IMPOSSIBLE:
            return Judgement("wrong", "says solved; proved impossible")
        return Judgement("unchecked", "says solved, shows no moves")

    def _impossible(self, task: Task) -> Judgement:
        truth = self._truth(task)
        if truth is Status.SOLVED:
            return Judgement("wrong", "says impossible; winnable, with moves that replay")
        if truth is Status.IMPOSSIBLE:
            return Judgement("impossible")
        return Judgement("unchecked", f"says impossible; no proof in {PROOF_SECONDS} s")

    def _truth(self, task: Task) -> Status:
        """Our own verdict: a win is replayed by verify(), an impossibility is searched through."""
        deal = task.number, task.cells
        if deal not in self._known:
            variant = FREECELL.replace(cells=task.cells)
            result = solve(task.board, variant=variant, time_limit=PROOF_SECONDS)
            if result.status is Status.SOLVED:
                verify(task.board, result.moves, variant)
            self._known[deal] = result.status
        return self._known[deal]
