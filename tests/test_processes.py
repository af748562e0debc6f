"""Limits bind whole process trees, closely, and nothing is left running."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from fcfast.benchmark.processes import MOST_OUTPUT, Finished, Limits, Program, orphans_adopted, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process trees are Linux's")

LIAR = str(Path(__file__).parent / "liar.py")
MIB = 2**20


@pytest.fixture(autouse=True)
def adopted():
    with orphans_adopted():
        yield


def lie(way: str, folder: Path, **limits: float) -> Finished:
    limits.setdefault("wall", 30)
    return run([sys.executable, LIAR, way], "", Limits(**limits), folder)


def running(way: str) -> list[str]:
    """The processes, but zombies, that lie in this way."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:3] == [LIAR.encode(), way.encode()]:
            found.append(folder.name)
    return found


def within(measure: str, value: float, limit: float) -> bool:
    """Times not before the limit, and at most 5 % or 50 ms after it; memory within 5 % of it."""
    if measure == "memory":
        return abs(value - limit) <= 0.05 * limit
    return limit <= value <= limit + max(0.05 * limit, 0.050)


def closely(way: str, folder: Path, measure: str, **limits: float) -> Finished:
    """A run whose measured value is within its limit; a machine that is busy gets five tries."""
    (limit,) = (limits[name] for name in ("memory", "cpu", "wall") if name in limits)
    for _ in range(5):
        finished = lie(way, folder, **limits)
        if within(measure, getattr(finished, measure), limit):
            return finished
    raise AssertionError(f"{measure} is {getattr(finished, measure)}, the limit {limit}")


def test_what_a_program_says_and_how_it_ends(tmp_path):
    script = "import sys; print(sys.stdin.read()[::-1]); print('so?', file=sys.stderr); sys.exit(3)"
    finished = run([sys.executable, "-c", script], "abc", Limits(wall=30), tmp_path)
    assert (finished.output, finished.errors) == ("cba\n", "so?\n")
    assert (finished.exit_code, finished.stopped) == (3, None)
    assert 0 < finished.cpu < finished.wall + 0.1


def test_a_program_that_does_not_read_is_given_all_it_wants(tmp_path):
    finished = run([sys.executable, "-c", "print(1)"], "x" * 10**6, Limits(wall=30), tmp_path)
    assert (finished.output, finished.exit_code) == ("1\n", 0)


def test_a_program_that_is_not_there_does_not_start(tmp_path):
    with pytest.raises(OSError):
        run([str(tmp_path / "nothing")], "", Limits(), tmp_path)


def test_wall_time_binds_within_50_ms(tmp_path):
    finished = closely("hang", tmp_path, "wall", wall=0.4)
    assert (finished.stopped, finished.exit_code) == ("time", None)
    assert not running("hang")


@pytest.mark.parametrize("way", ["busy", "busy-children", "orphan"])
def test_cpu_time_binds_within_50_ms_children_included(tmp_path, way):
    finished = closely(way, tmp_path, "cpu", cpu=0.6)
    assert finished.stopped == "cpu"
    assert not running(way)


@pytest.mark.parametrize("way", ["hog", "hogs"])
def test_memory_binds_within_5_per_cent_children_included(tmp_path, way):
    finished = closely(way, tmp_path, "memory", memory=300 * MIB)
    assert finished.stopped == "memory"
    assert not running(way)


def test_memory_that_children_share_counts_once(tmp_path):
    """Four processes with the same 100 MiB are no 400."""
    script = (
        "import os, time\n"
        "kept = bytearray(100 << 20); kept[::4096] = b'x' * 25600\n"
        "for _ in range(3):\n"
        "    if os.fork() == 0: time.sleep(0.4); os._exit(0)\n"
        "for _ in range(3): os.wait()\n"
        "print('done')"
    )
    limits = Limits(wall=30, memory=200 * MIB)
    assert run([sys.executable, "-c", script], "", limits, tmp_path).output == "done\n"


def test_time_of_children_that_are_gone_counts(tmp_path):
    script = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"  # so that nobody adds it up
        "for _ in range(40):\n"
        "    if os.fork() == 0:\n"
        "        end = time.process_time() + 0.1\n"
        "        while time.process_time() < end: pass\n"
        "        os._exit(0)\n"
        "    time.sleep(0.15)\n"
    )
    finished = run([sys.executable, "-c", script], "", Limits(wall=30, cpu=0.5), tmp_path)
    assert finished.stopped == "cpu"
    assert finished.wall < 5


@pytest.mark.parametrize("way", ["flood", "flood-errors"])
def test_a_flood_does_not_drown_us(tmp_path, way):
    finished = lie(way, tmp_path, wall=3)
    assert finished.stopped == ("output" if way == "flood" else "time")
    assert len(finished.output) < 2 * MOST_OUTPUT
    assert len(finished.errors) < MIB
    assert not running(way)


def test_a_program_that_leaves_a_process_behind_ends_with_its_own_end(tmp_path):
    """The child holds the pipe; nobody waits for it, and it is ended."""
    script = "import os, time\nif os.fork() == 0: time.sleep(600)\nprint('done')"
    finished = run([sys.executable, "-c", script], "", Limits(wall=30), tmp_path)
    assert (finished.output, finished.exit_code) == ("done\n", 0)
    assert finished.wall < 10


def test_an_interruption_leaves_nothing_running(tmp_path):
    with (
        pytest.raises(KeyboardInterrupt),
        Program([sys.executable, LIAR, "busy-children"], tmp_path),
    ):
        time.sleep(0.3)
        assert running("busy-children")
        raise KeyboardInterrupt
    assert not running("busy-children")


def test_a_program_nobody_knows_of_yet_is_ended_too(tmp_path):
    with orphans_adopted():
        subprocess.Popen([sys.executable, LIAR, "busy-children"])  # an interruption, and it is lost
        while len(running("busy-children")) < 3:
            time.sleep(0.01)
    assert not running("busy-children")


def test_a_program_that_answers_line_by_line(tmp_path):
    script = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
    with Program([sys.executable, "-c", script], tmp_path) as program:
        for text in ("abc", "def"):
            finished = program.exchange(text + "\n", Limits(wall=30), one_line=True)
            assert finished.output == text[::-1] + "\n"
            assert finished.exit_code is None and finished.stopped is None
        assert program.alive
    assert not program.alive
    assert not Path(f"/proc/{program.pid}").exists()


def test_other_children_are_left_alone(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        lie("exit", tmp_path)
        assert other.poll() is None
        other.kill()
