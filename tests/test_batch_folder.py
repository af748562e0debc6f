"""Folders of chunks: whole or not there, checked, resumed, one run at a time."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from array import array

import pytest
from batches import LIMIT, some_columns

import fcfast
from fcfast import Columns, FcfastError, Summary, solve_range
from fcfast.batch import chunks, folder
from fcfast.batch.chunks import DamagedChunk, Kind, chunk_name, read_chunk, write_chunk
from fcfast.batch.columns import TYPES
from fcfast.batch.work import Work

posix = pytest.mark.skipif(os.name == "nt", reason="signals and limits of POSIX")


@pytest.fixture(params=["parquet", "csv"])
def format(request):
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    return request.param


def names(path):
    return sorted(file.name for file in path.iterdir() if file.name != folder.LOCK)


def stamps(path):
    return {file.name: file.stat().st_mtime_ns for file in path.iterdir()}


def rows_in(path):
    return Columns.joined(read_chunk(file)[1] for _, _, file in folder.files_of(path))


# One file


@pytest.mark.parametrize("steps", [False, True])
def test_written_and_read(tmp_path, format, steps):
    columns = some_columns(steps)
    summary = Summary.of(columns)
    kind = Kind(Work(steps=steps, time_limit=2.5), False, format)
    write_chunk(tmp_path, kind, 5, 9, columns, summary)
    assert names(tmp_path) == [f"0000000005-0000000009.{format}"]
    chunk, rows = read_chunk(tmp_path / chunk_name(5, 9, format))
    assert (rows, rows.microseconds) == (columns, columns.microseconds)
    assert (chunk.first, chunk.last, chunk.summary) == (5, 9, summary)
    assert chunk.settings == kind.settings()
    assert chunk.settings["version"] == fcfast.__version__
    assert chunk.settings["variant"]["cells"] == 4


def test_a_file_of_the_unsolved(tmp_path, format):
    columns = some_columns()
    kind = Kind(Work(), True, format)
    write_chunk(tmp_path, kind, 5, 9, columns.unsolved(), Summary.of(columns))
    chunk, rows = read_chunk(tmp_path / chunk_name(5, 9, format))
    assert list(rows.deal) == [6, 7, 2**33 - 1]
    assert chunk.summary == Summary.of(columns)


def test_a_file_without_rows(tmp_path, format):
    kind = Kind(Work(), True, format)
    write_chunk(tmp_path, kind, 1, 2, Columns(), Summary(deals=2, solved=2))
    assert len(read_chunk(tmp_path / chunk_name(1, 2, format))[1]) == 0


def test_csv_is_csv(tmp_path):
    write_chunk(
        tmp_path, Kind(Work(), False, "csv"), 5, 9, some_columns(), Summary.of(some_columns())
    )
    with (tmp_path / chunk_name(5, 9, "csv")).open(newline="") as file:
        about = json.loads(file.readline().removeprefix("# "))
        rows = list(csv.DictReader(file))
    assert about["summary"]["deals"] == 5
    assert rows[1] == {
        "deal": "6",
        "status": "impossible",
        "limit": "",
        "moves": "0",
        "singles": "0",
        "nodes": "7",
        "microseconds": "1",
    }


def test_numbers_of_any_size_in_csv(tmp_path):
    numbers = [0, 7, 10, 99, 2**32, 10**19, 2**64 - 1]
    columns = Columns(
        *(array(code, numbers if code == "Q" else [0, 1, 2, 0, 1, 2, 0]) for code in TYPES.values())
    )
    columns.moves[-1] = 2**32 - 1
    text = chunks._to_csv(columns, "{}").decode()
    rows = [line.split(",") for line in text.splitlines()[2:]]
    assert rows == [[str(value) for value in row] for row in columns.rows()]
    assert chunks._from_csv(text.encode())[1] == columns


def test_every_wrong_bit_is_noticed(tmp_path, format):
    """Of a whole file's bits a hundred, one at a time: refused, or nothing that counts."""
    columns = some_columns()
    path = tmp_path / chunk_name(5, 9, format)
    write_chunk(tmp_path, Kind(Work(), False, format), 5, 9, columns, Summary.of(columns))
    whole = path.read_bytes()
    before = read_chunk(path)
    draw = random.Random(5)
    refused = 0
    for _ in range(100):
        broken = bytearray(whole)
        broken[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(broken)
        try:
            chunk, rows = read_chunk(path)
        except DamagedChunk as damage:
            assert str(path) in str(damage)
            refused += 1
        else:
            assert (rows, rows.microseconds) == (before[1], before[1].microseconds)
            assert chunk.summary == before[0].summary
    assert refused > 50


@pytest.mark.parametrize("kept", [0, 1, 4, 100, -1])
def test_half_a_file_is_noticed(tmp_path, format, kept):
    columns = some_columns()
    path = tmp_path / chunk_name(5, 9, format)
    write_chunk(tmp_path, Kind(Work(), False, format), 5, 9, columns, Summary.of(columns))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DamagedChunk):
        read_chunk(path)


def test_a_file_under_another_name_is_noticed(tmp_path, format):
    columns = some_columns()
    write_chunk(tmp_path, Kind(Work(), False, format), 5, 9, columns, Summary.of(columns))
    (tmp_path / chunk_name(5, 9, format)).rename(tmp_path / chunk_name(6, 10, format))
    with pytest.raises(DamagedChunk, match="summary does not fit"):
        read_chunk(tmp_path / chunk_name(6, 10, format))


def test_a_wrong_summary_is_noticed(tmp_path, format):
    summary = Summary.of(some_columns())
    summary.impossible, summary.solved = 0, 3
    write_chunk(tmp_path, Kind(Work(), False, format), 5, 9, some_columns(), summary)
    with pytest.raises(DamagedChunk, match="summary does not fit"):
        read_chunk(tmp_path / chunk_name(5, 9, format))


def test_without_pyarrow_files_are_csv(monkeypatch):
    monkeypatch.setattr(chunks, "find_spec", lambda name: None)
    assert chunks.chosen_format(None) == "csv"
    with pytest.raises(FcfastError, match="pip install"):
        chunks.chosen_format("parquet")
    monkeypatch.setattr(chunks, "find_spec", lambda name: name)
    assert chunks.chosen_format(None) == "parquet"


def test_duckdb_and_pandas_read_them(tmp_path, format):
    solve_range(1, 40, out=tmp_path, chunk=15, format=format, **LIMIT)
    expected = [row[:3] for row in rows_in(tmp_path).rows()]
    pandas = pytest.importorskip("pandas")
    read = pandas.read_parquet if format == "parquet" else _read_csv
    frame = pandas.concat([read(tmp_path / name) for name in names(tmp_path)])
    assert [*zip(frame["deal"], frame["status"], frame["limit"], strict=True)] == expected


def _read_csv(path):
    import pandas

    return pandas.read_csv(path, comment="#", keep_default_na=False)


# Resuming


def test_a_second_start_does_nothing(tmp_path, format):
    first = solve_range(1, 90, out=tmp_path, chunk=40, format=format, **LIMIT)
    assert names(tmp_path) == [
        f"{low:010}-{high:010}.{format}" for low, high in ((1, 40), (41, 80), (81, 90))
    ]
    before = stamps(tmp_path)
    assert solve_range(1, 90, out=tmp_path, chunk=40, format=format, **LIMIT) == first
    assert stamps(tmp_path) == before


def test_only_what_is_missing_is_made(tmp_path):
    whole = solve_range(1, 90, **LIMIT)
    solve_range(1, 90, out=tmp_path, chunk=20, **LIMIT)
    before = stamps(tmp_path)
    gone = next(name for name in before if name.startswith("0000000041"))
    (tmp_path / gone).unlink()
    total = solve_range(1, 130, out=tmp_path, chunk=20, **LIMIT)
    assert total.deals == 130
    assert rows_in(tmp_path).digest() == solve_range(1, 130, **LIMIT).digest()
    assert total.deals - 40 == whole.deal[-1]
    after = stamps(tmp_path)
    assert all(after[name] == before[name] for name in before if name not in (gone, folder.LOCK))


def test_another_size_of_chunks_fills_the_gaps(tmp_path):
    solve_range(30, 50, out=tmp_path, chunk=20, **LIMIT)
    assert solve_range(1, 90, out=tmp_path, chunk=25, **LIMIT).deals == 90
    spans = [(first, last) for first, last, _ in folder.files_of(tmp_path)]
    assert spans == [(1, 25), (26, 29), (30, 40), (41, 50), (51, 75), (76, 90)]


def test_part_of_a_chunk_is_refused(tmp_path):
    solve_range(1, 40, out=tmp_path, chunk=20, **LIMIT)
    with pytest.raises(FcfastError, match=r"0000000021-0000000040.* only partly in 1\.\.30"):
        solve_range(1, 30, out=tmp_path, chunk=20, **LIMIT)


def test_deals_twice_are_refused(tmp_path):
    solve_range(1, 40, out=tmp_path / "a", chunk=20, **LIMIT)
    solve_range(31, 50, out=tmp_path / "b", chunk=20, **LIMIT)
    with pytest.raises(FcfastError, match="deals in common"):
        folder.read_folder(tmp_path)


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"node_limit": 41}, "node_limit 40 instead of 41"),
        ({"cells": 3}, r"variant \(freecell\) instead of \(freecell, 8 columns, 3 cells\)$"),
        ({"variant": "bakers_game"}, r"variant \(freecell\) instead of \(bakers_game\)$"),
        ({"autoplay": "all"}, "autoplay safe instead of all"),
        ({"time_limit": 5.0}, "time_limit none instead of 5.0"),
        ({"node_limit": None, "steps": True}, "node_limit 40 instead of none, steps False"),
        ({"steps": True}, "steps False instead of True"),
        ({"only": "unsolved"}, "only all instead of unsolved"),
    ],
)
def test_a_folder_of_other_settings_is_refused(tmp_path, other, named):
    solve_range(1, 20, out=tmp_path, chunk=10, **LIMIT)
    before = stamps(tmp_path)
    with pytest.raises(FcfastError, match=named):
        solve_range(1, 40, out=tmp_path, chunk=10, **{**LIMIT, **other})
    assert stamps(tmp_path) == before


def test_a_folder_of_another_version_is_refused(tmp_path, monkeypatch):
    solve_range(1, 20, out=tmp_path, **LIMIT)
    monkeypatch.setattr("fcfast.batch.work.__version__", "99.0")
    with pytest.raises(FcfastError, match="version"):
        solve_range(1, 20, out=tmp_path, **LIMIT)


def test_a_damaged_chunk_is_named_and_made_again(tmp_path, format):
    solve_range(1, 60, out=tmp_path, chunk=20, format=format, **LIMIT)
    good = rows_in(tmp_path)
    before = stamps(tmp_path)
    damaged = tmp_path / chunk_name(21, 40, format)
    content = damaged.read_bytes()
    damaged.write_bytes(content[: len(content) // 3] + bytes(9) + content[len(content) // 3 + 9 :])
    with pytest.warns(UserWarning, match=r"0000000021-0000000040.* damaged.* solved again"):
        total = solve_range(1, 60, out=tmp_path, chunk=20, format=format, **LIMIT)
    assert total.deals == 60
    assert rows_in(tmp_path) == good
    after = stamps(tmp_path)
    assert {name for name in after if after[name] != before[name]} == {damaged.name}


def test_a_damaged_chunk_outside_the_range_is_left_alone(tmp_path):
    solve_range(1, 20, out=tmp_path, chunk=20, format="csv", **LIMIT)
    (damaged,) = tmp_path.glob("0*")
    damaged.write_text("")
    assert solve_range(21, 40, out=tmp_path, chunk=20, format="csv", **LIMIT).deals == 20
    assert damaged.exists()


def test_the_format_of_the_folder_goes_on(tmp_path, format):
    for last in 20, 40:
        solve_range(1, last, out=tmp_path, chunk=20, format=format if last == 20 else None, **LIMIT)
    assert {name.rpartition(".")[2] for name in names(tmp_path)} == {format}
    other = {"parquet": "csv", "csv": "parquet"}[format]
    pytest.importorskip("pyarrow")
    with pytest.raises(FcfastError, match=f"format {format} instead of {other}"):
        solve_range(1, 40, out=tmp_path, format=other, **LIMIT)


def test_parquet_cannot_be_read_without_pyarrow(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    solve_range(1, 20, out=tmp_path, format="parquet", **LIMIT)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FcfastError, match=r"0000000001-.*needs pyarrow: pip install"):
        folder.read_folder(tmp_path)


def test_limits_as_numbers_of_numpy(tmp_path):
    numpy = pytest.importorskip("numpy")
    solve_range(1, 20, out=tmp_path, node_limit=numpy.int64(40))
    assert solve_range(1, 20, out=tmp_path, node_limit=40).deals == 20


# Trouble with the disk


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        solve_range(1, 5, out=tmp_path / "file", **LIMIT)
    with pytest.raises(OSError, match="file"):
        solve_range(1, 5, out=tmp_path / "file" / "folder", **LIMIT)


@posix
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        solve_range(1, 5, out=tmp_path, **LIMIT)


FULL = """
import resource, sys
import fcfast
def report(total):
    if total.deals >= 40:  # from now on no file can grow beyond 100 bytes
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    fcfast.solve_range(1, 200, out=sys.argv[1], chunk=20, workers=1, node_limit=40,
                       progress=report)
except OSError as error:
    print(error)
"""


@posix
def test_a_full_disk(tmp_path):
    """The error names the file; what was finished stays, whole, and nothing else does."""
    ran = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True, timeout=60
    )
    assert "File too large" in ran.stdout and ran.returncode == 0, ran.stderr
    assert all(chunks.NAME.fullmatch(name) for name in names(tmp_path))
    assert 1 <= len(names(tmp_path)) < 10
    assert solve_range(1, 200, out=tmp_path, chunk=20, **LIMIT).deals == 200
    assert rows_in(tmp_path) == solve_range(1, 200, **LIMIT)


# Two runs, and killed ones


# CSV, since to import pyarrow takes longer than all else; what is written how is another matter.
RUN = [sys.executable, "-m", "fcfast", "range", "--node-limit", "40", "--format", "csv", "1"]


def test_a_second_run_in_this_process_is_refused(tmp_path):
    with folder.working_on(tmp_path), pytest.raises(FcfastError, match="at work"):
        solve_range(1, 5, out=tmp_path, **LIMIT)
    assert solve_range(1, 5, out=tmp_path, **LIMIT).deals == 5


@posix
def test_of_two_at_once_one_is_refused_and_the_other_finishes(tmp_path):
    run = [*RUN, "20000", "--chunk", "500", "--out", tmp_path]
    first = subprocess.Popen(run, stdout=subprocess.DEVNULL)
    while not folder.files_of(tmp_path):
        assert first.poll() is None
        time.sleep(0.001)
    first.send_signal(signal.SIGSTOP)  # it is at work, however long the second takes to start
    second = subprocess.run(run, capture_output=True, text=True, timeout=60)
    first.send_signal(signal.SIGCONT)
    assert (second.returncode, second.stdout) == (2, "")
    assert "another run is at work" in second.stderr
    assert first.wait(timeout=120) == 3  # some deals at their limit
    assert len(rows_in(tmp_path)) == 20_000


@posix
def test_killed_at_any_moment(tmp_path):
    """Whatever the moment, no file is half-written, none is made twice, and in the end the rows
    are those of a run that nobody killed."""
    run = [*RUN, "20000", "--chunk", "500", "--out", tmp_path, "--quiet"]
    draw = random.Random(7)
    made: dict[str, int] = {}
    kills = 0
    while True:
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        enough = len(folder.files_of(tmp_path)) + draw.randrange(2, 10)
        while process.poll() is None and len(folder.files_of(tmp_path)) < enough:
            time.sleep(0.001)
        time.sleep(draw.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        _, complaints = process.communicate()
        assert complaints == b""
        for first, last, path in folder.files_of(tmp_path):
            assert len(read_chunk(path)[1]) == last - first + 1 == 500
            assert made.setdefault(path.name, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
        if process.returncode != -signal.SIGKILL:
            assert process.returncode == 3
            break
        kills += 1
    assert kills >= 3
    assert not list(tmp_path.glob(".*.tmp"))
    assert rows_in(tmp_path) == solve_range(1, 20_000, **LIMIT)


@posix
def test_the_lock_goes_with_its_process(tmp_path):
    """Even where a process that it forked lives on."""
    script = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from fcfast.batch import folder\n"
        "with folder.working_on(Path(sys.argv[1])):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(60)\n"
        "    print('locked', flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, tmp_path], stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(FcfastError, match="at work"):
            solve_range(1, 5, out=tmp_path, **LIMIT)
        process.kill()
        process.wait()
        try:
            assert solve_range(1, 5, out=tmp_path, **LIMIT).deals == 5
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_what_a_killed_run_had_begun_is_removed(tmp_path):
    draft = tmp_path / ".0000000001-0000000005.parquet.0123.tmp"
    draft.write_bytes(b"PAR1")
    solve_range(1, 5, out=tmp_path, **LIMIT)
    assert not draft.exists()


def test_reading_back(tmp_path):
    solve_range(1, 60, out=tmp_path / "a", chunk=20, **LIMIT)
    solve_range(81, 100, out=tmp_path / "b", chunk=20, **LIMIT)
    total, covered, settings, wrong = folder.read_folder(tmp_path)
    assert covered == [(1, 60), (81, 100)]
    assert (total.deals, settings["node_limit"], wrong) == (80, 40, [])
    expected = Summary.of(solve_range(1, 60, **LIMIT))
    expected += Summary.of(solve_range(81, 100, **LIMIT))
    assert (total.solved, total.limits, total.moves) == (
        expected.solved,
        expected.limits,
        expected.moves,
    )


def test_reading_back_nothing(tmp_path):
    with pytest.raises(FcfastError, match="no whole chunks"):
        folder.read_folder(tmp_path)
