"""python -m fcfast.benchmark.worker FAMILY MODE CELLS: a library that answers until stdin ends.

A request is a line of JSON: {"board": TEXT} for a deal, {"first": N, "last": N, "show": [N, ...]}
for a range, of which the solutions to show are named. The reply is one line too. Times are those of
the library's own calls: from a board in the form it takes to a list of moves. The first line says
that it is ready. Anything the library prints goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import time
from array import array
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

if TYPE_CHECKING:
    from fcfast.result import Goal

Reply = dict[str, Any]


class Library(Protocol):
    def solve(self, text: str) -> Reply: ...
    def solve_range(self, first: int, last: int, show: list[int]) -> Reply: ...


class Fcfast:
    """fcfast.solve() for a deal, its bulk entry for a range. Moves with counts, none left out."""

    def __init__(self, mode: str, cells: int) -> None:
        import fcfast

        self.fcfast = fcfast
        self.goal = cast("Goal", mode)
        self.variant = fcfast.FREECELL.replace(cells=cells)

    def solve(self, text: str) -> Reply:
        board = self.fcfast.Board.parse(text, self.variant)
        result, timing = timed(lambda: self._solve(board))
        reply = {
            "claim": "gave up" if result.status.value == "limit" else result.status.value,
            "detail": f"limit of {result.limit}" if result.limit else "",
            "nodes": result.stats.nodes,
            **timing,
        }
        if result.moves:
            reply |= {"moves": written(result.moves), "notation": "standard", "autoplay": "off"}
        return reply

    def _solve(self, board: Any) -> Any:
        result = self.fcfast.solve(board, goal=self.goal, variant=self.variant)
        result.moves  # noqa: B018  unpacks them: the call ends with moves in hand
        return result

    def solve_range(self, first: int, last: int, show: list[int]) -> Reply:
        from fcfast import rules
        from fcfast.native import engine
        from fcfast.result import unpack_steps
        from fcfast.solve import DEFAULT_MEMORY_LIMIT
        from fcfast.weights import weights_for

        numbers = array("Q", range(first, last + 1))
        tables = rules.tables(self.variant, self.variant.columns, self.variant.cells)
        solver = engine.Solver(tables, DEFAULT_MEMORY_LIMIT, weights_for(self.variant))
        columns, timing = timed(lambda: solver.solve_deals(numbers, with_steps=True))
        status = columns["status"]
        told = list(zip(numbers, status, strict=True))
        ends = list(accumulate(columns["lengths"], initial=0))
        moves = {}
        for number in show:
            index = number - first
            if status[index] == engine.SOLVED:
                steps = columns["steps"][ends[index] : ends[index + 1]]
                moves[number] = written(unpack_steps(steps))
        return {
            "solved": sum(code == engine.SOLVED for code in status),
            "impossible": [number for number, code in told if code == engine.IMPOSSIBLE],
            "unsolved": [number for number, code in told if code == engine.STOPPED],
            "moves": moves,
            "notation": "standard",
            **timing,
        }


class FreecellSolver:
    """The package freecell_solver. Its moves are structs: kind, source, target, count."""

    KINDS = (
        "Move {3} cards from stack {1} to stack {2}",
        "Move a card from stack {1} to freecell {2}",
        "Move a card from freecell {1} to stack {2}",
        "Move a card from freecell {1} to freecell {2}",
        "Move a card from stack {1} to the foundations",
        "Move a card from freecell {1} to the foundations",
    )
    # Its presets leave kinds of moves out: to find nothing proves nothing.
    CLAIMS: ClassVar[dict[int, str]] = {0: "solved", 1: "gave up", 5: "gave up"}

    def __init__(self, mode: str, cells: int) -> None:
        import freecell_solver  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self.options = ["-l", mode, "--freecells-num", str(cells)]
        self.solver = freecell_solver.FreecellSolver()
        read = self.solver.input_cmd_line(self.options)
        if read["last_arg"] != len(self.options):
            raise SystemExit(f"freecell_solver does not take {' '.join(self.options)}")

    def solve(self, text: str) -> Reply:
        (code, moves), timing = timed(lambda: self._solve(text))
        reply: Reply = {
            "claim": self.CLAIMS.get(code, "failed"),
            "detail": "" if code in self.CLAIMS else f"solve_board() returned {code}",
            "nodes": self.solver.get_num_times(),
            **timing,
        }
        if moves:
            reply |= {"moves": self._written(moves), "notation": "fc-solve", "autoplay": "off"}
        self.solver.recycle()
        return reply

    def solve_range(self, first: int, last: int, show: list[int]) -> Reply:
        from fcfast import deals

        texts = [deals.deal(number).to_text() for number in range(first, last + 1)]
        solutions: list[tuple[int, list[bytes]]] = []

        def all_of_them() -> None:
            for text in texts:
                solutions.append(self._solve(text))
                self.solver.recycle()

        _, timing = timed(all_of_them)
        solved = [self.CLAIMS.get(code) == "solved" for code, _ in solutions]
        return {
            "solved": sum(solved),
            "impossible": [],
            "unsolved": [first + index for index, won in enumerate(solved) if not won],
            "moves": {n: self._written(solutions[n - first][1]) for n in show if solved[n - first]},
            "notation": "fc-solve",
            **timing,
        }

    def _solve(self, text: str) -> tuple[int, list[bytes]]:
        code = self.solver.solve_board(text)
        moves = []
        if code == 0:
            while (move := self.solver.get_next_move()) is not None:
                moves.append(bytes(self.solver.ffi.buffer(move, 4)))
        return code, moves

    def _written(self, moves: list[bytes]) -> str:
        return "\n".join(self.KINDS[move[0]].format(*move) for move in moves)


LIBRARIES: dict[str, Callable[[str, int], Library]] = {
    "fcfast": Fcfast,
    "freecell_solver": FreecellSolver,
}


def timed(call: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """What a call returns, with the wall and CPU time that it took."""
    cpu = time.process_time()
    start = time.perf_counter()
    value = call()
    seconds = time.perf_counter() - start
    return value, {"seconds": seconds, "cpu": time.process_time() - cpu}


def written(moves: Any) -> str:
    """Moves in standard notation with every count written, home moves included."""
    return " ".join(f"{source}{target}v{count:x}" for source, target, count in moves)


def main(arguments: list[str]) -> None:
    family, mode, cells = arguments
    # Replies have the real stdout for themselves.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    library = LIBRARIES[family](mode, int(cells))
    print(json.dumps({"ready": True}), file=replies, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "board" in request:
            reply = library.solve(request["board"])
        else:
            reply = library.solve_range(request["first"], request["last"], request["show"])
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
