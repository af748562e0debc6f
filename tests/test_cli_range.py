"""fcfast range: what it prints where, exit codes, folders, and stopping."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import fcfast.terminal
from fcfast import Summary, cli, solve_range
from fcfast.terminal import Progress

FEW = ("--node-limit", "15")


class Ran:
    def __init__(self, capsys, *arguments):
        try:
            self.code = int(cli.main(["range", *map(str, arguments)]))
        except SystemExit as stopped:
            self.code = stopped.code
        self.out, self.err = capsys.readouterr()
        self.lines = self.out.splitlines()


@pytest.fixture
def range_(capsys):
    """Runs ``fcfast range`` in this process."""
    return lambda *arguments: Ran(capsys, *arguments)


@pytest.fixture(scope="module")
def expected():
    return solve_range(1, 60, node_limit=15)


def test_what_it_prints(range_, expected):
    ran = range_(1, 60, *FEW)
    total = Summary.of(expected)
    assert (ran.code, ran.err) == (3, "")
    assert ran.lines[:2] == ["Deals 1..60 (Microsoft)", "Variant: freecell"]
    assert f"60 deals: {total.solved} solved, 0 impossible, {total.stopped} at a limit" in ran.out
    first = " ".join(map(str, total.unsolved["nodes"][:20]))
    assert f"Limit of nodes reached: {first} and {total.stopped - 20} more\n" in ran.out
    assert "\nMoves: " in ran.out and " (autoplay safe)" in ran.out
    assert ran.lines[-1].startswith("60 in ") and ran.lines[-1].endswith(" a second")


def test_impossible_deals_are_named_and_all_is_done(range_):
    ran = range_(11980, 11983)
    assert (ran.code, ran.err) == (0, "")
    assert "4 deals: 3 solved, 1 impossible, 0 at a limit\nImpossible: 11982\n" in ran.out


def test_json_is_one_object(range_, expected):
    ran = range_(1, 60, *FEW, "--json")
    said = json.loads(ran.out)
    assert said.items() >= {"first": 1, "last": 60, "variant": "freecell", "resumed": 0}.items()
    assert said["solved"] == Summary.of(expected).solved
    assert said["unsolved"] == Summary.of(expected).unsolved
    assert ran.code == 3


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_come_by_number(range_, expected, workers):
    ran = range_(1, 60, *FEW, "--rows", "--workers", workers)
    rows = [line.split() for line in ran.lines[:60]]
    assert [int(row[0]) for row in rows] == list(range(1, 61))
    for row, (deal, status, limit, moves, singles, nodes, _) in zip(
        rows, expected.rows(), strict=True
    ):
        counts = [str(moves), str(singles)] if status == "solved" else [limit, "-"]
        assert row[:5] == [str(deal), status, *counts, str(nodes)]
    assert ran.lines[60:63] == ["", "Deals 1..60 (Microsoft)", "Variant: freecell"]


def test_rows_as_json_lines(range_, expected):
    *rows, total = map(json.loads, range_(1, 60, *FEW, "--rows", "--json").lines)
    assert [row["deal"] for row in rows] == list(range(1, 61))
    assert [row["nodes"] for row in rows] == list(expected.nodes)
    assert rows[0].keys() == {
        "deal", "status", "limit", "moves", "singles", "nodes", "microseconds"
    }  # fmt: skip
    assert total["deals"] == 60


def test_rows_of_the_unsolved(range_, expected):
    *rows, _ = map(json.loads, range_(1, 60, *FEW, "--rows", "--json", "--only-unsolved").lines)
    assert [row["deal"] for row in rows] == list(expected.unsolved().deal)
    assert {(row["limit"], row["moves"]) for row in rows} == {("nodes", None)}


def test_other_rules(range_):
    ran = range_(1, 5, "--variant", "bakers_game", "--cells", "8", *FEW)
    assert ran.lines[1] == "Variant: bakers_game, 8 columns, 8 cells"


def test_a_folder(range_, tmp_path, expected):
    options = (1, 60, *FEW, "--out", tmp_path, "--chunk", "25", "--format", "csv")
    first = range_(*options)
    assert (first.code, first.err) == (3, "")
    again = range_(*options)
    assert again.lines[:-1] == first.lines[:-1]
    assert again.lines[-1].startswith("0 in ")
    assert again.lines[-1].endswith("; 60 were finished before")
    assert json.loads(range_(*options, "--json").out)["resumed"] == 60
    rows = range_(*options, "--rows").lines[:60]
    assert [int(row.split()[0]) for row in rows] == list(range(1, 61))

    back = range_("--summary", tmp_path)
    assert back.code == 3
    assert back.lines[:5] == first.lines[:5]
    lengths = Summary.of(expected).moves
    longest = max(lengths)
    assert back.lines[-1].split()[0] == f"{longest // 5 * 5}-{longest // 5 * 5 + 4}"
    said = json.loads(range_("--summary", tmp_path, "--json").out)
    assert said["ranges"] == [[1, 60]]
    assert said["moves"] == {str(moves): count for moves, count in lengths.items()}
    assert (said["node_limit"], said["damaged"]) == (15, [])

    other = range_(1, 60, "--node-limit", "14", "--out", tmp_path, "--format", "csv")
    assert (other.code, other.out) == (2, "")
    assert "node_limit 15 instead of 14" in other.err


def test_a_folder_of_a_later_version(range_, tmp_path):
    range_(1, 20, *FEW, "--out", tmp_path, "--format", "csv")
    (path,) = tmp_path.glob("*.csv")
    ours = path.read_text()
    assert '"variant": {' in ours
    path.write_text(ours.replace('"variant": {', '"variant": {"jokers": 2, '))
    ran = range_("--summary", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "written by another version" in ran.err and "jokers" in ran.err


def test_a_damaged_file(range_, tmp_path):
    options = (1, 60, *FEW, "--out", tmp_path, "--chunk", "25", "--format", "csv")
    range_(*options)
    damaged = tmp_path / "0000000026-0000000050.csv"
    text = damaged.read_text()
    damaged.write_text(text.replace("\n30,", "\n31,"))
    back = range_("--summary", tmp_path)
    assert back.code == 2
    assert "Deals 1..25, 51..60 (Microsoft)" in back.out
    assert f"{damaged} is damaged" in back.err
    again = range_(*options)
    assert again.code == 3
    assert again.err == (
        f"fcfast: {damaged} is damaged: its rows are not those that were written; "
        "its deals are solved again\n"
    )
    assert damaged.read_text().splitlines()[2:] != text.replace("\n30,", "\n31,").splitlines()[2:]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--summary FOLDER"),
        ((1,), "--summary FOLDER"),
        ((0, 5), "argument A: no deal '0': ranges are within 1..8589934591"),
        ((-2, 5), "no deal '-2'"),
        ((5, 1), "no deals in 5..1: name the lower number first"),
        ((1, 2**33), "argument B: no deal '8589934592'"),
        (("a", "b"), "no deal 'a'"),
        ((1, 5, "--chunk", "2"), "--out"),
        ((1, 5, "--chunk", "0"), "1 or more"),
        ((1, 5, "--out", "-"), "'-' is not the name"),
        ((1, 5, "--workers", "0"), "workers"),
        ((1, 5, "--steps"), "--out"),
        ((1, 5, "--format", "csv"), "--out"),
        ((1, 5, "--summary", "x"), "takes no range"),
        (("--summary", "/no/such/folder"), "no whole chunks"),
        ((1, 5, "--variant", "eight_board"), "eight_off"),
        ((1, 5, "--out", __file__), "test_cli_range.py"),
        ((1, 5, "--out", "x", "--only-unsolved", "--steps"), "no steps"),
        ((1, 5, "--only"), "--only"),
        ((1, 5, "--memory-limit", "999999999999999G"), "no machine has"),
        ((1, 5, "--memory-limit", "8000000G"), "cannot reserve"),
    ],
)
def test_wrong_use(range_, arguments, message):
    ran = range_(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


# Progress


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

    def monotonic():
        Clock.now += 3
        return Clock.now

    monkeypatch.setattr(fcfast.terminal.time, "monotonic", monotonic)


def test_plain_lines_in_a_log(range_, clock):
    ran = range_(1, 60, *FEW, "--workers", "1")
    assert len(ran.err.splitlines()) > 1
    assert "\r" not in ran.err and "\x1b" not in ran.err
    assert " of 60, " in ran.err and " a second, " in ran.err and " left\n" in ran.err
    assert range_(1, 60, *FEW, "--quiet").err == ""


def test_a_bar_on_a_terminal(capsys, clock, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    with Progress() as progress:
        progress("12 of 60, 3 a second", 0.2)
        progress("30 of 60, 3 a second", 0.5)
    err = capsys.readouterr().err
    assert "30 of 60, 3 a second" in err
    assert "\x1b[2K" in err.rsplit("30 of 60", 1)[1]  # gone at the end


# Stopping


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_keeps_the_finished_files(tmp_path):
    command = [sys.executable, "-m", "fcfast", "range", "1", "1000000", "--out", tmp_path]
    with subprocess.Popen(
        [*command, *FEW, "--chunk", "50"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while len(list(tmp_path.glob("0*"))) < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"fcfast: interrupted\n")
    assert not list(tmp_path.glob(".*.tmp"))
    total = solve_range(1, 100, out=tmp_path, chunk=50, node_limit=15)
    assert total.deals == 100
