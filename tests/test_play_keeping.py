"""The text game and its records: what is recorded, kept, asked and resumed, and what is not."""

import pytest
from player import Player

from fcfast.board import Board
from fcfast.play.game import Game, Outcome
from fcfast.play.guide import Guide
from fcfast.play.records import Records

LAST_FOUR = "Foundations: C-Q D-Q H-Q S-Q\n: KC\n: KD\n: KH\n: KS\n:\n:\n:\n:"


@pytest.fixture
def records(tmp_path) -> Records:
    return Records(tmp_path / "records.sqlite3")


@pytest.fixture
def kept(records) -> Records:
    """Records that keep a game of deal 617."""
    game = Game(617)
    game.move("4a")
    records.keep(game)
    return records


def session(lines, source=24, offers=True, records=None) -> Player:
    """A whole session at a terminal where somebody types these lines, and then Ctrl-D."""
    player = Player(source, answers=lines, records=records, asks=True, offers=offers)
    player.loop.run()
    return player


def typed_line(game: Game) -> list[str]:
    """A winning line, as it is typed."""
    return [f"{move}v{move.count:x}" for move in Guide().advise(game, 60).line]


# What is recorded


def test_giving_up_is_recorded_at_once_and_once(records):
    player = Player(1, records=records)
    player("1a")
    assert "recorded as lost" in player("giveup")
    assert records.stats()["lost"] == 1
    for line in ("2b", "redo", "solve"):
        said = player(line)
        assert "The game is over" in said or "nothing to redo" in said
    assert "in the records it stays" in player("undo")
    player("solve")
    assert "It was recorded before, as given up" in player("redo 999")
    player("number 6")
    player("number 7")  # nothing was played
    assert records.stats()["games"] == 1


def test_giving_up_again_says_that_it_was_recorded_before(records):
    player = Player(1, records=records)
    player("giveup")
    player("undo")
    said = player("giveup")
    assert (
        said == "Given up; it was recorded before, as given up. new deals another; undo plays on."
    )
    assert records.stats()["lost"] == 1
    assert Player(1)("giveup") == "Given up. new deals another; undo plays on."


def test_a_win_again_says_how_the_first_was_recorded(records):
    player = Player(1, records=records)
    player("solve")
    player("redo 999")
    player("undo")
    assert "It was recorded before, as won with help." in player("redo")


def test_kept_says_whether_this_game_is_kept(records):
    player = Player(1, records=records)
    assert player("kept") == "No game is kept."
    player("1a")
    player("save")
    assert player("kept") == "This game is kept; no other is."
    player("number 2")
    player("1a")
    assert player("kept").splitlines()[-1] == "resume goes on with the first."
    player("save")
    assert player("kept").endswith("This game is kept too; resume goes on with the first.")


def test_a_game_begun_again_after_its_end_is_another_game(records):
    player = Player(1, records=records)
    player("giveup")
    player("restart")
    assert player.game.number == 1 and player.game.outcome is Outcome.PLAYING
    player("1a")
    player("giveup")
    assert records.stats()["lost"] == 2


def test_a_win_is_recorded_once(records):
    player = Player(1, records=records)
    for move in typed_line(player.game):
        player(move)
    assert player.game.outcome is Outcome.WON
    player("undo")
    player("redo")
    player("new")
    assert records.stats()["won"] == 1 and records.stats()["games"] == 1


@pytest.mark.parametrize("help_wanted", ["hint", "win?", "solve"])
def test_a_win_with_help_is_not_one_without(help_wanted, records):
    player = Player(1, records=records)
    line = typed_line(player.game)
    player(help_wanted)
    for move in line:
        said = player(move)
    assert "counts as a win with help" in said
    stats = records.stats()
    assert (stats["won"], stats["helped"], stats["bests"]) == (0, 1, [])
    player("restart")
    for move in line:
        player(move)
    assert records.stats()["won"] == 1


def test_restart_washes_off_neither_help_nor_time(records):
    player = Player(1, records=records)
    player("hint")
    player("1a")
    player("restart")
    assert player.game.hints == 0
    assert player("redo") == "Back to where you were before the restart."
    assert player.game.hints == 1 and player.game.move_count == 1


def test_a_warning_of_the_guard_is_help():
    player = Player(1, "tap", guard=True)
    player("1a 2b 3c 4d")
    assert player.game.hints == 1


def test_broken_records_are_said_once_and_the_game_goes_on(tmp_path):
    path = tmp_path / "r.sqlite3"
    path.write_text("no database" * 100)
    player = session(["1h", "2h 3h 4h", "stats"], Board.parse(LAST_FOUR), records=Records(path))
    assert player.shown.count("Nothing is recorded from here on") == 1
    assert "You have won" in player.shown and "There are no records" in player.shown


# What is kept


def test_a_game_that_was_saved_is_kept_once_and_gone_when_it_is_over(records):
    player = Player(1, records=records)
    player("solve")
    player("r")
    player("save")
    player("r")
    player("save")
    assert [Game.from_text(kept.text).move_count for kept in records.kept()] == [2]
    player("redo 999")
    assert records.kept() == []


def test_a_game_that_is_left_can_be_kept_and_stays_so(records):
    player = Player(answers=["keep"], asks=True, records=records)
    player("4a")
    assert "is kept" in player("number 5") and player.game.number == 5
    player("1a")
    player("save")
    player("2b")
    assert "is kept" in player("resume") and player.game.number == 617
    assert player("kept").startswith("1: Deal 5 · web · 2 moves")  # as it was left
    assert records.stats()["games"] == 0
    player("giveup")
    assert (records.stats()["games"], len(records.kept())) == (1, 1)


def test_games_are_kept_side_by_side(records):
    player = Player(records=records)
    assert player("kept") == player("resume") == "No game is kept."
    for number in (5, 6, 7):
        player(f"number {number}")
        player("1a")
        player("save")
    assert [line[:9] for line in player("kept").splitlines()[:-1]] == ["1: Deal 6", "2: Deal 5"]
    assert "no kept game" in player("resume 3")
    player("resume 2")
    assert player.game.number == 5
    assert len(records.kept()) == 3


def test_a_game_played_in_two_windows_is_recorded_once(records):
    game = Game(Board.parse(LAST_FOUR), "tap")
    game.move("1h")
    records.keep(game)
    windows = [Player(5, records=records), Player(6, records=records)]
    for player in windows:
        player("resume")
    assert "recorded only once" not in windows[0]("auto")
    assert "recorded only once" in windows[1]("auto")
    assert records.stats()["won"] == 1 and records.kept() == []


def test_a_game_saved_in_a_file_is_not_lost(tmp_path, records):
    path = tmp_path / "game.txt"
    player = Player(answers=["no", "yes"], asks=True, records=records)
    player("4a")
    player(f"save {path}")
    player("number 5")
    assert player.game.number == 5
    player(f"load {path}")
    player("number 5")
    assert player.game.number == 5 and records.stats()["games"] == 0
    player("1a")
    assert player(f"save {path}") == "Nothing is saved."  # another game is in that file
    assert Game.from_text(path.read_text()).number == 617
    assert "is saved" in player(f"save {path}")
    assert Game.from_text(path.read_text()).number == 5


def test_a_game_goes_on_where_it_cannot_be_kept(tmp_path):
    path = tmp_path / "r.sqlite3"
    player = Player(answers=["keep"], asks=True, records=Records(path))
    player("4a")
    path.unlink(missing_ok=True)
    path.write_text("no database" * 100)
    said = player("new")
    assert "This game goes on." in said and "Nothing is recorded from here on" in said
    assert player.game.turns


# What is asked


@pytest.mark.parametrize("line", ["new", "number 5", "rules linear", "daily"])
@pytest.mark.parametrize(
    ("answers", "left"),
    [(["no"], False), ([""], False), ([], False), (["maybe"], False), (["yes"], True)],
)
def test_a_game_in_progress_is_not_left_by_mistake(line, answers, left):
    player = Player(answers=answers, asks=True)
    player("4a")
    assert (player(line) == "This game goes on.") != left
    assert (player.game.turns == ()) == left


@pytest.mark.parametrize("answer", ["yes", "", "y"])
def test_a_kept_game_is_offered(answer, kept):
    assert session([answer], records=kept).game.number == 617
    assert len(kept.kept()) == 1  # at every moment: this session might be killed


@pytest.mark.parametrize("answer", ["no", "what?", "nope", "0"])
def test_nonsense_leaves_a_kept_game_alone(answer, kept):
    player = session([answer, "1a", "giveup"], records=kept)
    assert player.game.number == 24 and "It stays kept" in player.shown
    assert len(kept.kept()) == 1 and kept.stats()["lost"] == 1


def test_a_command_where_a_question_is_asked_is_carried_out(kept):
    player = session(["number 9", "1a", "new", "undo"], records=kept)
    assert player.game.number == 9 and player.game.turns == ()
    assert "This game goes on.\n1 move taken back." in player.shown
    assert session(["resume"], records=kept).game.number == 617
    player = session(["1a", "quit", "2b"], 1)
    assert player.game.move_count == 2


@pytest.mark.parametrize(
    ("answer", "lost", "kept", "moves"), [("no", 1, 0, 1), ("", 0, 1, 1), ("cancel", 0, 1, 2)]
)
def test_quit_keeps_the_game_or_gives_it_up(answer, lost, kept, moves, records):
    player = session(["1a", "quit", answer, "2b"], records=records)
    assert (records.stats()["lost"], len(records.kept())) == (lost, kept)
    assert player.game.move_count == moves
    without = session(["1a", "quit", answer, "2b"])
    assert without.game.move_count == 2  # there only yes leaves


def test_where_a_deal_is_named_the_kept_game_is_only_mentioned(kept):
    player = session(["1a"], records=kept, offers=False)
    assert "A game is kept (Deal 617 · web · 1 move" in player.shown
    assert player.game.number == 24 and len(kept.kept()) == 2


def test_a_signal_while_the_game_is_being_kept_does_not_lose_it(records, monkeypatch):
    keep, signals = Records.keep, [SystemExit(129)]

    def interrupted(*arguments):
        while signals:
            raise signals.pop()
        return keep(*arguments)

    monkeypatch.setattr(Records, "keep", interrupted)
    with pytest.raises(SystemExit):
        session(["1a"], records=records)
    assert len(records.kept()) == 1


def test_a_kept_game_can_be_dropped(kept):
    assert session(["drop"], records=kept).game.number == 24
    assert kept.kept() == [] and kept.stats()["games"] == 0


def test_rules_ask_nothing_where_nothing_would_change():
    player = Player(asks=True, house="strict cells=2")
    player("4a")
    assert "No house rules 'poker'" in player("rules poker")
    assert player("rules strict cells=2") == "This game's house rules are strict cells=2 already."
    assert player("rules cells=2") == "This game's house rules are strict cells=2 already."
    assert player.game.turns


def test_what_is_longer_than_the_screen_comes_a_page_at_a_time(monkeypatch):
    def pages(answers, lines):
        monkeypatch.setenv("LINES", str(lines))
        player = Player(asks=True, answers=answers)
        player.loop.screen._console._force_terminal = True
        player.loop.say(player.loop.screen.lines("\n".join(map(str, range(20)))))
        return player.shown.split()[-1], player.answers

    assert pages([], 24) == ("19", [])
    assert pages(["", ""], 9) == ("19", [])
    assert pages(["no"], 9) == ("7", [])
    assert pages(["", "hint"], 9) == ("15", [])
