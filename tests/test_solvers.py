"""Adapters read what their programs print, and a file can describe any other."""

import json
import re
import sys
from pathlib import Path

import pytest

from fcfast import deals
from fcfast.benchmark import solvers
from fcfast.benchmark.processes import Finished
from fcfast.benchmark.solvers import Answer, Task, described, find
from fcfast.errors import FcfastError
from fcfast.notation import read
from fcfast.verify import verify

README = Path(__file__).parents[1] / "README.md"
TASK = Task(1, deals.deal(1))

FC_SOLVE = """\
-=-=-=-=-=-=-=-=-=-=-=-

Move a card from stack 3 to the foundations

====================

This game is solveable.
Total number of states checked is 60.
This scan generated 119 states.
"""


def printed(output: str, exit_code: int = 0, errors: str = "") -> Finished:
    return Finished(output, errors, exit_code, None, 0.1, 0.1, 0)


def test_fc_solve():
    solver = find("fc-solve:looking-glass", {})
    assert solver.name == "fc-solve"
    answer = solver.read(TASK, printed(FC_SOLVE))
    assert (answer.claim, answer.notation, answer.autoplay) == ("solved", "fc-solve", "off")
    assert answer.nodes == 60
    assert solver.read(TASK, printed("Iterations count exceeded.\n")).claim == "gave up"


def test_fc_solve_proves_nothing_with_a_preset_that_leaves_moves_out():
    said = printed("I could not solve this game.\nTotal number of states checked is 20.\n")
    assert find("fc-solve", {}).read(TASK, said).claim == "gave up"
    assert find("fc-solve:toons-for-twenty-somethings", {}).read(TASK, said).claim == "impossible"


def test_fc_solve_in_bulk(tmp_path):
    (tmp_path / "000000002.sol").write_text(FC_SOLVE)
    said = printed("Started at 1\nUnsolved Board No. 3 at 2\nReached Board No. 4 at 3\n")
    answer = find("fc-solve", {}).read_bulk(range(1, 5), said, tmp_path)
    assert (answer.solved, answer.unsolved, answer.impossible) == (3, (3,), ())
    assert list(answer.moves) == [2]


def test_macroxue_prints_better_and_better_solutions():
    said = printed("upperbound 150\n0   20   512\n1:26758r6a\n20   8\n1:2675\n")
    answer = find("macroxue:12", {}).read(TASK, said)
    assert (answer.moves, answer.notation, answer.length) == ("2675", "macro", 2)
    assert find("macroxue", {}).read(TASK, printed("No solution\n")).claim == "gave up"


def test_solvitaire_gives_verdicts(tmp_path):
    solver = find("solvitaire", {})
    command, _ = solver.command(TASK, tmp_path)
    assert "tableau piles" in json.loads((tmp_path / command[-1]).read_text())
    for said, claim in (
        ("1, 2, 3, solved\n", "solved"),
        (", 61643, unsolvable\n", "impossible"),
        (", timed-out\n", "gave up"),
        ("Error: no such thing\n", "failed"),
    ):
        answer = solver.read(TASK, printed(said))
        assert (answer.claim, answer.moves) == (claim, None)


def test_kpat_gives_verdicts():
    for said, claim in (
        ("1 won (12 ms)\nall_moves 3\n", "solved"),
        ("1 lost (12 ms)\n", "impossible"),
        ("1 unknown (12 ms)\n", "gave up"),
        ("", "failed"),
    ):
        assert find("kpat", {}).read(TASK, printed(said)).claim == claim


def test_alaatm_counts_columns_from_0():
    """The solution of deal 1 that its manual shows wins."""
    moves = (
        "4a41{1}4b4c4h40{1}64{1}76{1}a774{2}37{1}63{2}6a6h2h71{2}2d20{1}50{1}50{1}5h0h5h7h7hbh"
        "56{1}7h05{4}27{1}23{1}d21h01{1}43{3}a404{1}0h0h4h37{4}30{3}13{4}1a21{2}a220{2}c212{3}"
        "1h50{5}15{1}1a1h0h4h0h0h7ha431{5}34{1}35{1}3h0h1h7h0h1h0h1h2h2h13{2}61{2}6h7h0h3h7h0h"
        "2h3h7h0h2h3h4h02{2}0h1h2h5h1h2h4h5h"
    )
    said = printed(f"Done in 00:00:00.03 - #moves: 97\nmoves: {moves}\n")
    answer = find("alaatm:astar", {}).read(TASK, said)
    assert answer.length == 97
    verify(TASK.board, read(TASK.board, answer.moves, style=answer.notation).moves)
    assert find("alaatm", {}).read(TASK, printed("Bailed in 1\n")).claim == "gave up"


def test_our_own_program():
    solver = find("fcfast:cli", {})
    said = {"status": "solved", "moves": ["1a", "23"], "nodes": 9}
    assert solver.read(TASK, printed(json.dumps(said))) == Answer(
        "solved", "1a\n23", "fc-solve", "off", nodes=9
    )
    assert solver.read(TASK, printed("Traceback", 1)).claim == "failed"


def test_a_crash_says_how():
    solver = find("fc-solve", {})
    assert "signal 11" in solver.read(TASK, printed("", -11)).detail
    assert solver.read(TASK, printed("", 255, "a\nUnable to load it")).detail == (
        "exit code 255: Unable to load it"
    )


@pytest.mark.parametrize("name", ["nobody", "fcfast:brilliant", "fc-solve:-x y"])
def test_unknown_solvers_are_refused(name):
    with pytest.raises(FcfastError):
        find(name, {})


@pytest.mark.parametrize("family", solvers.FAMILIES)
def test_what_is_missing_says_what_helps(family, monkeypatch):
    monkeypatch.setattr(solvers.shutil, "which", lambda program: None)
    monkeypatch.setattr(solvers.importlib.util, "find_spec", lambda name: None)
    reason = find(family, {}).missing()
    if family.startswith("fcfast"):
        assert family == "fcfast-cli" or reason is None
    else:
        assert "install" in reason or "build" in reason


# Solvers described in a file

MINE = """
[solver.mine]
command = ["mine", "{file}", "--deal={number}", "--cells={cells}"]
solved = "^Solved"
impossible = "^No"
gave_up = "^Tired"
moves = "(?s)moves:(.*)"
notation = "standard"
autoplay = "horne"
length = "in (\\\\d+)"
metric = "singles"
"""


@pytest.fixture
def describe(tmp_path):
    def make(text: str) -> dict:
        path = tmp_path / "registry.toml"
        path.write_text(text)
        return described(path)

    return make


def test_a_described_solver(describe, tmp_path):
    mine = describe(MINE)["mine"]
    command, text = mine.command(TASK, tmp_path)
    assert command == ["mine", "board", "--deal=1", "--cells=4"]
    assert text == ""
    assert (tmp_path / "board").read_text() == TASK.board.to_text()
    assert "mine is not on PATH" in mine.missing()
    said = printed("Hello\nSolved in 2\nmoves: 1a\n2b")
    assert mine.read(TASK, said) == Answer("solved", " 1a\n2b", "standard", "horne", length=2)
    assert mine.metric == "singles"
    assert mine.read(TASK, printed("None")).claim == "impossible"
    assert mine.read(TASK, printed("Tired")).claim == "gave up"
    assert mine.read(TASK, printed("Solved, or so")).moves == ""
    assert mine.read(TASK, printed("what?")).claim == "failed"


def test_a_board_goes_to_stdin_unless_the_command_names_it(describe, tmp_path):
    mine = describe(f"[solver.a]\ncommand = [{json.dumps(sys.executable)}]\nsolved = 'x'")["a"]
    assert mine.command(TASK, tmp_path) == ([sys.executable], TASK.board.to_text())
    assert mine.missing() is None
    assert mine.read(TASK, printed("x")).moves is None


@pytest.mark.skipif(not README.exists(), reason="not a source tree")
def test_the_description_in_the_readme_is_one(describe):
    (text,) = re.findall(r"^```toml\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    mine = describe(text)["mine"]
    assert set(mine.entry) == set(mine.keys)
    assert mine.read(TASK, printed("Solved in 12 moves\nMoves: 1a")).length == 12


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "describes no solver"),
        ("solver = 3", "describes no solver"),
        ("[solver", "not TOML"),
        ("[solver.fcfast]\ncommand=['x']\nsolved=''", "taken"),
        ("[solver.a]\nsolved='x'", "command is not a list of words"),
        ("[solver.a]\ncommand='x'\nsolved='x'", "command is not a list"),
        ("[solver.a]\ncommand=[1]\nsolved='x'", "command is not a list of words"),
        ("[solver.a]\ncommand=['x']", "solved is missing"),
        ("[solver.a]\ncommand=['x']\nsolved='('", "not a regular expression"),
        ("[solver.a]\ncommand=['x']\nsolved='x'\nmoves='x'", "moves needs one group"),
        ("[solver.a]\ncommand=['x']\nsolved='x'\nnotation='morse'", "notation is 'morse'"),
        ("[solver.a]\ncommand=['x']\nsolved='x'\nsovled='x'", "no key 'sovled'"),
        ("[solver.a]\ncommand=['x']\nsolved=1", "solved is not a str"),
    ],
)
def test_faults_of_a_description_are_named(describe, text, fault):
    with pytest.raises(FcfastError, match=fault.replace("(", r"\(")):
        describe(text)
