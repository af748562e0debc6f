"""README.md does what it says: its Python session, its console session, its set-up lines."""

import doctest
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fcfast import solve_range

README = Path(__file__).parents[1] / "README.md"
MOVES = re.compile(r"^[0-9a-dh]{2}(v[0-9a-d])?( [0-9a-dh]{2}(v[0-9a-d])?)*$")
COUNTS = re.compile(r"[0-9,.]+ (moves|singles|nodes|seconds)")
pytestmark = pytest.mark.skipif(not README.exists(), reason="not a source tree")


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)


class Checker(doctest.OutputChecker):
    """Compares output, but for what a better search changes: which moves, and how many."""

    def check_output(self, want: str, got: str, flags: int = doctest.ELLIPSIS) -> bool:
        return super().check_output(self.settled(want), self.settled(got), doctest.ELLIPSIS)

    @staticmethod
    def settled(text: str) -> str:
        lines = ["MOVES" if MOVES.match(line) else line for line in text.splitlines()]
        unlike = [line for line, above in zip(lines, ["", *lines], strict=False) if line != above]
        return COUNTS.sub(r"N \1", "\n".join(unlike)) + "\n"


def test_the_python_session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = "\n".join(blocks("pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", str(README), 0)
    assert len(test.examples) > 10
    runner = doctest.DocTestRunner(Checker(), verbose=False, optionflags=doctest.ELLIPSIS)
    faults: list[str] = []
    runner.run(test, out=faults.append)
    assert not faults, "".join(faults)


@pytest.mark.skipif(os.name == "nt", reason="a shell")
def test_the_console_session(tmp_path):
    """Each command prints what the README shows, ``...`` standing for anything."""
    program = tmp_path / "bin" / "fcfast"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m fcfast "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    env["PYTHONPATH"] = os.pathsep.join(str(Path(path).resolve()) for path in sys.path)
    commands = [
        step.partition("\n")[::2] for block in blocks("console") for step in block[2:].split("\n$ ")
    ]
    assert len(commands) > 8
    checker = Checker()
    for command, expected in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120
        )
        assert checker.check_output(expected.rstrip(), done.stdout.rstrip()), done.stdout
        # A log gets a line every ten seconds, which sanitizers and busy machines take.
        assert not re.sub(r"(?m)^[\d,]+ of [\d,]+, .*\n", "", done.stderr)


def test_the_query(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    solve_range(1, 20, out=tmp_path / "results", chunk=10, node_limit=40)
    monkeypatch.chdir(tmp_path)
    (query,) = blocks("sql")
    rows = duckdb.sql(query).fetchall()
    assert {row[:2] for row in rows} == {("solved", ""), ("limit", "nodes")}
    assert sum(row[2] for row in rows) == 20


def test_the_first_screen_holds_the_two_set_up_lines():
    solve, test = (line.strip() for line in blocks("sh"))
    assert README.read_text().index(test) < 1500
    assert solve.endswith("fcfast solve 617")
    assert test.endswith("pytest -q")
    for line in (solve, test):
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install")
        assert "\n" not in line
