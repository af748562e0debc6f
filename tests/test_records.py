"""Records: counts, streaks, bests, kept games; two processes at once, crashes, other versions."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from fcfast import cli
from fcfast.play.game import Game
from fcfast.play.guide import Guide
from fcfast.play.records import Best, Records, RecordsError, stats_text


@pytest.fixture
def records(tmp_path):
    return Records(tmp_path / "deep" / "records.sqlite3")


def won(number: int = 1, house: str = "web", seconds: float = 60.0, extra: int = 0) -> Game:
    """A won game; `extra` moves are made first and again."""
    game = Game(number, house)
    for _ in range(extra):
        game.move(game.legal_moves()[0])
    for move in Guide().advise(game, 60).line:
        game.move(move)
    game.seconds = seconds
    return game


def lost(number: int = 1) -> Game:
    game = Game(number)
    game.move(game.legal_moves()[0])
    return game


def test_totals_and_streaks(records):
    for game in (won(1), won(2), lost(), won(3), won(4), won(5), lost(), won(6)):
        records.add(game)
    stats = records.stats()
    assert (stats["games"], stats["won"], stats["lost"], stats["helped"]) == (8, 6, 2, 0)
    assert (stats["streak"], stats["longest_streak"]) == (1, 3)


def test_wins_with_hints_a_solution_or_the_cheat_are_counted_apart_and_losses_are_losses(records):
    hinted, shown, left = won(1), won(2), lost(4)
    hinted.hints = left.hints = 1
    shown.helped = True
    cheated = Game(2, "windows")
    cheated.cheat(win=True)
    for game in (won(3), hinted, shown, cheated):
        records.add(game)
    stats = records.stats()
    assert (stats["won"], stats["lost"], stats["helped"], stats["streak"]) == (1, 0, 3, 1)
    assert records.best(hinted) is None and records.best(shown) is None
    records.add(left)
    assert (records.stats()["lost"], records.stats()["streak"]) == (1, 0)


def test_a_kept_game_is_dropped_when_it_is_recorded_and_recorded_once(records):
    kept = records.keep(won())
    assert records.add(won(), kept) and records.kept() == []
    assert not records.add(won(), kept)
    assert records.stats()["games"] == 1


def test_bests_are_per_deal_and_house_rules(records):
    quick, short = won(1, seconds=10, extra=2), won(1, seconds=20)
    for game in (quick, short, won(2, seconds=1), won(1, "tap", seconds=2)):
        records.add(game)
    assert records.best(Game(1)) == Best(10, min(quick.move_count, short.move_count))
    assert records.best(Game(1, "tap")).seconds == 2
    assert records.best(Game(3)) is None
    assert records.best(Game(1, "web cells=5")) is None
    own = Game(Game(1).start)
    assert own.number is None and records.best(own) is None


def test_kept_games_come_back_last_first_and_only_once(records):
    first, second = lost(1), lost(2)
    records.keep(first)
    records.keep(second)
    kept = records.kept()
    assert [Game.from_text(game.text).number for game in kept] == [2, 1]
    assert records.drop(kept[0]) and not records.drop(kept[0])
    assert len(records.kept()) == 1


def test_the_file_of_a_newer_version_is_left_alone(records):
    records.add(won())
    with sqlite3.connect(records.path) as database:
        database.execute("PRAGMA user_version = 9")
    before = records.path.read_bytes()
    with pytest.raises(RecordsError, match="version 9, made by a newer fcfast"):
        records.add(won())
    assert records.path.read_bytes() == before


def test_what_is_no_database_is_said_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes, which are longer than a header of sqlite3\n" * 10)
    with pytest.raises(RecordsError, match=r"notes\.txt"):
        Records(path).add(won())
    assert path.read_text().startswith("my notes")
    with pytest.raises(RecordsError):
        Records(path / "below").stats()
    with pytest.raises(RecordsError):
        Records(tmp_path).stats()


WRITER = """
import sys
import time
from pathlib import Path
from fcfast.play.game import Game
from fcfast.play.records import Records
records = Records(Path(sys.argv[1]))
game = Game(1)
game.move(game.legal_moves()[0])
for _ in range(int(sys.argv[2])):
    records.add(game)
    records.keep(game)
    time.sleep(0.002)  # or it would hold the lock without a break, as no player does
"""


def writer(records: Records, times: int) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(records.path), str(times)])


def test_several_games_at_once_lose_nothing(records):
    """Also when they all find no file and make it."""
    writers = [writer(records, 15) for _ in range(4)]
    assert [process.wait(60) for process in writers] == [0] * 4
    assert records.stats()["games"] == 60
    assert len(records.kept()) == 60


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_crash_in_mid_write_leaves_whole_records(records):
    for crashes in range(3):
        process = writer(records, 100_000)
        deadline = time.monotonic() + 30
        while not records.path.exists() or not records.stats()["games"]:
            assert time.monotonic() < deadline
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        games = records.stats()["games"]
        # A crash may come between the two writes of a round; each win below adds one game.
        assert 0 <= games - len(records.kept()) <= 2 * crashes + 1
        records.add(won())
    with sqlite3.connect(records.path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_stats_are_wrapped_at_words_but_for_the_path(tmp_path):
    for name in ("r.sqlite3", "a " * 60 + "r.sqlite3"):
        records = Records(tmp_path / name)
        records.add(won(5, "strict variant=eight_off cells=7 face_down=on undo=10 points=on"))
        lines = stats_text(records).splitlines()
        assert any(line.startswith("  ") for line in lines)
        assert all(len(line) < 80 for line in lines[:-1])
        assert lines[-1].endswith(str(records.path))


def test_the_command(records, capsys):
    arguments = ["stats", "--records", str(records.path)]
    assert cli.main(arguments) == 0
    place = f"{records.path}\n"
    said = capsys.readouterr().out
    assert said.startswith("No games are recorded yet.\n") and said.endswith(place)
    records.add(won(7, seconds=83))
    records.add(lost(8))
    assert cli.main(arguments) == 0
    out = capsys.readouterr().out
    assert "All games: 1 won of 2 (50 %), 0 more with help, streak 0, longest 1\n" in out
    assert "Deal 7, web: 1:23, " in out and out.endswith(place)
    assert cli.main([*arguments, "--json"]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert stats["bests"][0]["deal"] == "7" and stats["rules"][0]["won"] == 1
    assert cli.main(["stats", "--no-records"]) == 2
