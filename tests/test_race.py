"""Whole races: liars are caught, order is fair, interruptions lose nothing."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_processes import LIAR, running

from fcfast.benchmark import dealsets
from fcfast.benchmark.race import Plan, Race, open_folder
from fcfast.benchmark.scores import score
from fcfast.benchmark.solvers import Described, find
from fcfast.errors import FcfastError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="races need Linux")

MIB = 2**20
SAYS = {"solved": "^(Solved|Won)", "impossible": "^Impossible", "moves": "^Solved:(.*)"}


def liar(way: str) -> Described:
    says = {**SAYS} if way != "winning" else {k: v for k, v in SAYS.items() if k != "moves"}
    # With a number in its command it reads no boards, and has no start to be measured.
    return Described(way, {"command": [sys.executable, LIAR, way, "{number}"], **says})


def race(folder: Path, solvers, **plan) -> Race:
    names = tuple(solver.name for solver in solvers)
    plan = {"deals": (1,), "set_name": "test", "warm_up": 0, **plan}
    return Race(Plan(solvers=names, **plan), solvers, folder)


def verdicts(rows, event="deal"):
    return {r["solver"]: (r["verdict"], r["detail"]) for r in rows if r["event"] == event}


CAUGHT = {
    "illegal": ("wrong", "move 1"),
    "short": ("wrong", "not won"),
    "nonsense": ("wrong", "not a move"),
    "silent": ("wrong", "not won"),
    "hopeless": ("wrong", "winnable"),
    "hang": ("limit", "wall time"),
    "crash": ("failed", "signal 6"),
    "exit": ("failed", "out of ideas"),
    "gibberish": ("failed", "nothing to be understood"),
    "flood": ("failed", "flooded"),
    "hog": ("limit", "memory"),
    "hogs": ("limit", "memory"),
    "busy-children": ("limit", "CPU time"),
    "orphan": ("limit", "CPU time"),
    "winning": ("unchecked", "shows no moves"),
}


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="a sanitizer's shadow memory does not fit under any memory limit",
)
def test_liars_are_caught_each_in_its_way_and_the_race_goes_on(tmp_path):
    solvers = [find("fcfast", {}), *map(liar, CAUGHT)]
    run = race(tmp_path, solvers, time_limit=5, cpu_limit=0.3, memory_limit=200 * MIB)
    run.run()
    found = verdicts(run.rows)
    assert found.pop("fcfast") == ("solved", "")
    for way, (verdict, why) in CAUGHT.items():
        assert found[way][0] == verdict, (way, found[way])
        assert why in found[way][1], (way, found[way])
    scores = {one.solver: one for one in score(run.rows, run.solvers, "fcfast", 5, 1)}
    assert scores["fcfast"].par2 < 5
    liars = ["illegal", "short", "nonsense", "silent", "hopeless"]
    assert sorted(list(scores)[-5:]) == sorted(liars)
    assert all(scores[way].par2 == 20 for way in liars)
    assert scores["crash"].par2 == 10


def test_impossible_without_cause_and_with(tmp_path):
    run = race(tmp_path, [liar("hopeless")], deals=(11982, 1))
    run.run()
    assert {r["deal"]: r["verdict"] for r in run.rows if r["event"] == "deal"} == {
        11982: "impossible",
        1: "wrong",
    }


def test_a_total_limit_ends_a_solver_not_the_race(tmp_path):
    solvers = [liar("hang"), liar("exit")]
    run = race(tmp_path, solvers, deals=(1, 2, 3, 4), time_limit=0.3, total_time=0.5)
    began = time.monotonic()
    run.run()
    hung = [r for r in run.rows if r["solver"] == "hang" and r["event"] == "deal"]
    assert [r["verdict"] for r in hung] == ["limit"] * 4
    assert 0.5 <= sum(r["wall"] or 0 for r in hung) < 1.0  # 1.2 without the total
    assert sum("total" in r["detail"] for r in hung) == 2
    assert sum(r["verdict"] == "failed" for r in run.rows if r["event"] == "deal") == 4
    assert time.monotonic() - began < 20


def test_solvers_take_turns_in_an_order_that_a_seed_repeats(tmp_path):
    solvers = [find("fcfast", {}), find("fc-solve", {})]
    deals = tuple(range(1, 41))
    one = [*race(tmp_path, solvers, deals=deals, repeat=2).schedule()]
    assert one == [*race(tmp_path, solvers, deals=deals, repeat=2).schedule()]
    assert one != [*race(tmp_path, solvers, deals=deals, repeat=2, seed=2).schedule()]
    runs = [start for start in one if start.event == "deal"]
    assert len(set(runs)) == len(runs) == 160
    pairs = [(runs[n], runs[n + 1]) for n in range(0, len(runs), 2)]
    assert all(a.deal == b.deal and a.solver != b.solver for a, b in pairs)
    first = sum(a.solver == "fcfast" for a, _ in pairs)
    assert 20 < first < 60
    assert [a.deal for a, _ in pairs[:40]] != list(deals)


def test_a_library_that_dies_is_started_again(tmp_path, monkeypatch):
    script = (
        "import sys, json\nprint('{\"ready\": true}', flush=True)\n"
        "for line in sys.stdin:\n"
        "    sys.exit('died')\n"
    )
    solver = find("fcfast", {})
    monkeypatch.setattr(type(solver), "command", lambda *_: [sys.executable, "-c", script])
    run = race(tmp_path, [solver], deals=(1, 2))
    run.run()
    assert [r["verdict"] for r in run.rows] == ["failed", "failed"]
    assert "died" in run.rows[1]["detail"]


def test_a_library_that_does_not_start_costs_itself(tmp_path, monkeypatch):
    solver = find("fcfast", {})
    broken = [sys.executable, "-c", "raise SystemExit('no such library')"]
    monkeypatch.setattr(type(solver), "command", lambda *_: broken)
    run = race(tmp_path, [solver, liar("exit")], bulk=(1, 2))
    run.run()
    assert verdicts(run.rows)["fcfast"] == ("failed", "exit code 1: no such library")
    assert verdicts(run.rows, "bulk")["fcfast"][0] == "failed"


def test_a_program_that_cannot_be_started_costs_itself(tmp_path):
    text = tmp_path / "text"
    text.write_text("no program")
    text.chmod(0o755)
    solver = Described("text", {"command": [str(text)], "solved": "x"})
    run = race(tmp_path, [solver])
    run.run()
    assert verdicts(run.rows)["text"][1].startswith("does not start: ")


def test_bulk_is_counted_and_looked_at(tmp_path):
    run = race(tmp_path, [find("fcfast", {})], deals=(1,), bulk=(1, 30))
    run.run()
    (row,) = (r for r in run.rows if r["event"] == "bulk")
    assert (row["verdict"], row["deals"], row["solved"], row["wrong"]) == ("solved", 30, 30, 0)
    assert row["checked"] == 30


# Interruption and resuming


def test_a_race_goes_on_where_it_stopped(tmp_path):
    solvers = [liar("exit"), liar("short")]
    plan = {"deals": (1, 2, 3)}
    first = race(tmp_path, solvers, **plan)

    def stop_at_four(message: str) -> None:
        if len(first.rows) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.run(stop_at_four)
    file = tmp_path / "rows.jsonl"
    assert len(file.read_text().splitlines()) == 3
    file.write_text(file.read_text() + '{"event": "deal", "sol')  # a write that was cut off
    second = race(tmp_path, solvers, **plan)
    second.resume()
    second.run()
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    keys = [(r["event"], r["solver"], r["deal"], r["repetition"]) for r in rows]
    assert keys == [tuple(start) for start in second.schedule()]


def test_ctrl_c_keeps_rows_and_leaves_no_process(tmp_path):
    registry = tmp_path / "liars.toml"
    registry.write_text(
        f"[solver.busy]\ncommand = {json.dumps([sys.executable, LIAR, 'busy-children'])}\n"
        "solved = '^Solved'\n"
    )
    out = tmp_path / "out"
    command = ["-m", "fcfast", "bench", "--registry", str(registry), "--solver", "busy"]
    command += ["--set", "1-3", "--warm-up", "0", "--time-limit", "0.3", "--out", str(out)]
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as bench:
        rows = out / "rows.jsonl"
        while not rows.exists() or rows.read_text().count("\n") < 2:
            assert bench.poll() is None
            time.sleep(0.02)
        bench.send_signal(2)
        _, errors = bench.communicate(timeout=60)
    assert bench.returncode == 130
    assert not running("busy-children")
    assert b"--resume goes on" in errors
    assert 2 <= rows.read_text().count("\n") < 6
    assert (out / "report.html").exists()
    done = subprocess.run(
        [sys.executable, *command, "--resume", "--json"], capture_output=True, check=True
    )
    assert json.loads(done.stdout)["scores"][0]["counts"]["limit"] == 3
    assert rows.read_text().count("\n") == 6


def test_a_folder_is_not_written_over(tmp_path):
    solvers = [liar("exit")]
    plan = race(tmp_path, solvers).plan
    open_folder(tmp_path, plan, False, {"date": "today"})
    with pytest.raises(FcfastError, match="holds a race"):
        open_folder(tmp_path, plan, False, {})
    assert open_folder(tmp_path, plan, True, {"date": "later"}) == {"date": "today"}
    other = race(tmp_path, solvers, deals=(1, 2), seed=3).plan
    with pytest.raises(FcfastError, match="deals, seed differ"):
        open_folder(tmp_path, other, True, {})
    with pytest.raises(FcfastError, match="no race to resume"):
        open_folder(tmp_path / "empty", plan, True, {})


# Deal sets


def test_sets_by_name_range_and_file(tmp_path):
    assert len(dealsets.find("ms32k").numbers) == 32000
    assert dealsets.find("two-cells").cells == 2
    assert dealsets.find("1-3,617,2").numbers == [1, 2, 3, 617]
    path = tmp_path / "mine"
    path.write_text("7-9  # odd ones\n\n11982\n")
    assert dealsets.find(str(path)).numbers == [7, 8, 9, 11982]


@pytest.mark.parametrize("name", ["nothing", "3-1", "1-x", "1-99999999", "0"])
def test_sets_that_are_none_are_refused(name):
    with pytest.raises(FcfastError):
        dealsets.find(name)


def test_samples_are_repeated_by_a_seed():
    numbers = range(1, 32001)
    one = dealsets.sample(numbers, 50, 1)
    assert one == dealsets.sample(numbers, 50, 1) == sorted(set(one))
    assert one != dealsets.sample(numbers, 50, 2)
    assert dealsets.sample(numbers[:9], 50, 1) == list(numbers[:9])
