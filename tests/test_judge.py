"""The judge believes nobody."""

import re

import pytest
from solutions import solution

from fcfast import deals, notation
from fcfast.benchmark.judge import Judge
from fcfast.benchmark.solvers import Answer, Task
from fcfast.rules import FREECELL

KNOWN = solution("freecell", 1)
TASK = Task(1, KNOWN.board)
IMPOSSIBLE = Task(11982, deals.deal(11982))


def written(style: notation.Style, autoplay: str = "off") -> str:
    return notation.write(KNOWN.board, KNOWN.moves, style, autoplay)


def verdict(task: Task, *answer: object, **more: object):
    return Judge("safe").judge(task, Answer(*answer, **more))


@pytest.mark.parametrize("style", notation.STYLES)
@pytest.mark.parametrize("told", [True, False])
def test_a_solution_is_replayed_in_its_notation(style, told):
    policy = "horne" if style in ("standard", "macro") else "off"
    answer = (written(style, policy), style, policy) if told else (written(style, policy),)
    judged = verdict(TASK, "solved", *answer)
    assert judged.verdict == "solved"
    assert judged.singles == notation.count_singles(KNOWN.board, KNOWN.moves)
    in_runs = notation.count_moves(KNOWN.board, KNOWN.moves, "safe")
    # Who writes a run card by card is counted card by card.
    assert judged.moves > in_runs if style == "singles" else judged.moves == in_runs


def test_autoplay_is_found_where_nobody_says_it():
    judged = verdict(TASK, "solved", written("standard", "safe"))
    assert (judged.verdict, judged.notation, judged.autoplay) == ("solved", "standard", "safe")


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("1h 1h", "move 1"),
        ("1a", "not won"),
        ("", "not won"),
        ("see above", "not a move"),
        (written("singles")[:-3], "not won"),
        (written("singles") + " 1a", "no card|empty|won"),
    ],
)
def test_a_solution_that_does_not_win_is_wrong(moves, why):
    judged = verdict(TASK, "solved", moves)
    assert judged.verdict == "wrong"
    assert judged.moves is judged.singles is None
    assert re.search(why, judged.detail)


def test_impossibility_needs_a_proof():
    assert verdict(IMPOSSIBLE, "impossible").verdict == "impossible"
    judged = verdict(TASK, "impossible")
    assert (judged.verdict, judged.detail[:27]) == ("wrong", "says impossible; winnable, ")


def test_a_win_without_moves_is_unchecked_unless_it_cannot_be():
    assert verdict(TASK, "solved").verdict == "unchecked"
    assert verdict(IMPOSSIBLE, "solved").verdict == "wrong"


def test_cells_count():
    five = Task(11982, deals.deal(11982, FREECELL.replace(cells=5)))
    assert verdict(five, "impossible").verdict == "wrong"


def test_giving_up_and_failing_are_no_lies():
    assert verdict(TASK, "gave up").verdict == "limit"
    assert verdict(TASK, "failed", detail="signal 6").verdict == "failed"


def test_an_own_count_that_is_off_is_noted():
    singles = notation.count_singles(KNOWN.board, KNOWN.moves)
    answer = Answer("solved", written("singles"), length=singles)
    assert Judge("safe").judge(TASK, answer, "singles").detail == ""
    assert Judge("safe").judge(TASK, answer, "moves").detail.startswith(f"counts {singles} moves")
