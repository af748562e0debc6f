"""The text game: commands, sessions from a pipe, and what screens look like."""

import io
import os
import subprocess
import sys

import pytest
from player import Player

from fcfast import cli
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.moves import Move
from fcfast.play import advising, loop
from fcfast.play.choosing import daily_number, random_game
from fcfast.play.commands import BY_NAME, GROUPS, help_text
from fcfast.play.game import Game, Outcome
from fcfast.play.guide import Guide
from fcfast.play.houserules import OPTIONS, PRESETS, HouseRules
from fcfast.play.records import Records

ESCAPE = "\x1b"


# Commands


@pytest.mark.parametrize(
    "line",
    ["4a 8b", "4A 8B", " 4a\t8b ", "4 a 8 b\n"],
)
def test_moves_as_people_type_them(line):
    player = Player()
    player(line)
    assert player.game.board.cells[:2] == (deal(617).columns[3][-1], deal(617).columns[7][-1])


def test_several_moves_stop_at_the_first_that_cannot_be_made():
    player = Player()
    said = player("4a 52 8b")
    assert "4♥ to a." in said and "52: J♣ does not go on K♠" in said
    assert player.game.move_count == 1


@pytest.mark.parametrize(
    "line",
    [
        "xyzzy",
        "4a foo",
        "-",
        "hint!",
        "99",
        "4",
        "3",
        "ü",
        "\x00",
        "4a4b",
        "h",
        "a" * 10_000,
        "52 3 3",
    ],
)
def test_nonsense_is_one_line_and_changes_nothing(line):
    player = Player()
    before = player.game.board
    said = player("hint" if line == "h" else line)
    assert said and len(said) < 200 and "\n" not in said
    assert player.game.board == before


def test_every_command_is_listed_once_and_says_something():
    commands = [command for group in GROUPS.values() for command in group]
    assert sum(len(command.names.split()) for command in commands) == len(BY_NAME)
    for command in commands:
        assert command.names.split()[0] in help_text()
        if command.names.startswith("quit"):
            continue
        player = Player(answers=["x"] * 60)
        player("4a 8b")
        try:
            said = player(command.usage.split(" ")[0])
        except EOFError:
            assert command.names in ("custom", "import")
            continue
        assert said or command.names.startswith("board"), command.names


def test_help_fits_a_screen_of_24_lines_and_answers_to_every_word():
    player = Player()
    words = ["", "records", "options", "?", "face-down", *GROUPS, *BY_NAME, *OPTIONS]
    for said in [*(player(f"help {word}") for word in words), player("rules")]:
        assert 0 < len(said.splitlines()) < 24
        assert all(len(line) < 80 for line in said.splitlines())
    assert "no help on 'poker'" in player("help poker")
    assert "take back a move" in player("help undo") and "undos in a game" in player("help undo")


QUEENS = """Foundations: C-J D-J H-J S-J
KS QD
KD QS
KC QC
KH QH
:
:
:
:"""
LONG = """Foundations: C-6 D-6 H-6 S-6
KS QH JS TH 9S 8H 7S
KD QS JH TS
8C 7D 7C 9H TC TD 9D KC QD JC
KH QC JD
9C 8D
8S
7H
:"""


def test_a_count_picks_the_cards_of_a_run():
    board = Board.parse(LONG)
    player = Player(board, "tap")
    assert player("18 2") == "8♥ 7♠ to 8."
    assert player.game.board.columns[7] == board.columns[0][-2:]
    player("undo")
    player("18v3")
    assert player.game.board.columns[7] == board.columns[0][-3:]
    player("undo")
    assert "13: " in player("18 13")  # two moves: a count is one digit
    player("undo")
    player("18")
    assert len(player.game.board.columns[7]) == 5  # four cells are free


def test_a_card_by_name_goes_to_its_best_place():
    player = Player(Board.parse(LONG), "web")
    assert player("8d") == "8♦ to a; by itself 7♠ 7♥ home."
    player = Player(Board.parse(LONG), "tap")
    assert player("8d") == "8♦ to 8."
    assert "7♦ is covered: 7♣ on 7♦ is no run" in player("card 7d")
    assert "There is no place for" in Player(617, "tap cells=0")("card jd")


def test_a_move_wins_over_a_card_of_the_same_name_and_says_so():
    player = Player(Board.parse(LONG), "tap")
    player("78")
    # 8d is column 8, the seven of hearts, to cell d; the eight of diamonds could move too.
    assert player("8d") == "7♥ to d. For 8♦ say `card 8d`."
    assert player("undo") and "For" not in player("3d")
    player = Player(617, "tap")
    # 7h is no move now, so it is the seven of hearts.
    assert "7♥ is covered" in player("7h") and "cannot go home" in player("7h")


def test_why_explains_colour_rank_and_run_limit_with_the_numbers():
    player = Player(Board.parse(LONG, cells=1), "tap")
    assert "9♠ does not go on 10♠: the colours are the same" in player("why 12")
    assert "8♥ does not go on 10♠: it is not one rank lower" in player("why 12 2")
    assert "7♠ does not go on 8♠: the colours are the same" in player("why 16")
    assert player("why 18 1") == "18v1: 7♠ to 8 is allowed."
    said = player("why 18 6")
    assert "at most 2 can move" in said and "The limit is (free cells + 1)" in said
    assert "Say a move too" in player("why")
    assert "No column 9" in player("why 91")
    linear = Player(Board.parse(LONG, cells=1), "linear")
    assert "free cells + empty columns + 1" in linear("why 18 6")


def test_why_takes_cards_as_typing_them_does():
    for line in ("10s", "7h", "kh", "91"):
        assert Player()(f"why {line}") == Player()(line)
    assert Player()("why 4h") == "4a: 4♥ to a is allowed."
    assert Player()("4h") == "4♥ to a."


def test_help_says_what_places_are_called_on_larger_boards():
    player = Player(9, "web columns=13 cells=10")
    names = "Columns are 1 to 9, then 0 x y z; cells are a to g, then i j k"
    assert all(names in player(f"help {word}") for word in ("columns", "cells", "moves"))
    assert player("zk").endswith(" to k.")


def test_undo_redo_and_their_counts():
    player = Player()
    player("4a 8b 7c")
    assert player("undo 2") == "2 moves taken back."
    assert player("u") == "1 move taken back."
    assert player("u") == "There is nothing to undo."
    assert "J♥ to c." in player("redo 9")
    assert player("redo") == "There is nothing to redo."
    assert "not a number of moves" in player("undo x")


def test_solve_is_stepped_through_with_redo_and_undo():
    player = Player(1)
    moves = player("solve").splitlines()[0].split()
    assert len(moves) == len(player.game.future)
    assert Game(1).move(moves[0]).board == player.game.future[0].board
    player("redo 99")
    assert player.game.outcome is Outcome.WON and player.game.helped


def test_hints_count_only_when_there_is_one():
    player = Player(11982)
    assert player("hint") == "No, this position is lost: that is proved."
    assert player.game.hints == 0
    player(player("moves").partition(":")[0])
    assert player("hint").endswith("that is proved. undo may help.")
    player = Player(1)
    assert player("hint").startswith("Hint: ") and player.game.hints == 1


def test_no_moves_left_is_said_at_once_and_only_then():
    player = Player(1, "tap")
    for line in ("1a", "2b", "3c"):
        assert "No legal move" not in player(line)
    assert "No legal move is left" in player("4d")
    assert "No legal move is left" in player("hint")
    assert "lost" in player("win?")
    player("undo")
    assert "No legal move" not in player("moves")


def test_win_says_yes_with_a_line_no_or_not_known(monkeypatch):
    line = Player(1)("win?").removeprefix("Yes, it can be won: ").split()
    game = Game(1)
    for move in line:
        game.move(move)
    assert game.outcome is Outcome.WON
    monkeypatch.setattr(advising, "VERDICT_SECONDS", 0.0)
    assert "Not known" in Player(11982)("win?")
    monkeypatch.setattr(advising, "VERDICT_SECONDS", 60.0)  # with sanitizers a second is short
    assert "proved" in Player(11982)("win?")


def test_the_guard_warns_when_a_won_game_is_lost_each_time():
    player = Player()
    assert player("guard on") == "The guard is on."
    player("1a 2b")
    assert player("win?").startswith("Yes")
    for _ in range(2):
        said = player("3c 4d")
        assert "Careful: 3c lost the game (proved). undo takes it back." in said
        assert player.game.move_count == 3  # the warning ends the line
        player("undo")
        assert player("win?").startswith("Yes")
    player("guard off")
    assert "lost the game" not in player("3c 4d")
    assert player.game.move_count == 4
    player = Player(11982, "tap", guard=True)
    assert "lost the game" not in player(player("moves").split(":")[0])


def test_a_hint_says_how_many_cards_where_it_must():
    board = Board.parse(LONG)
    player = Player(board, "tap")
    for count in (1, 2, 3, 5):
        typed = player.game.typed(board, Move("1", "8", count))
        assert player.game.read(typed) == Move("1", "8", count)
    assert player.game.typed(board, Move("1", "8", 5)) == "18"
    assert "18v2: 8♥ 7♠ to 8" in player("moves 1")
    app = Player(Board.parse(QUEENS), "app")
    assert "h1: J♠ to 1" in app("moves")


def test_finishing_is_offered():
    board = Board.parse(QUEENS)
    player = Player(board, "tap")
    assert "All that is left is going home" in player("1h")
    assert "You have won, in 2 moves" in player("auto")


def test_a_deal_is_played_where_thinking_about_it_is_stopped(monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    player = Player()
    monkeypatch.setattr(Guide, "advise", stopped)
    assert player("number 11982") == "A new game."
    assert player.game.number == 11982


def test_the_cheat_asks():
    player = Player(house="windows", answers=["cancel", "lose"])
    assert player("cheat") == "Cancelled."
    assert "lost" in player("cheat")
    player = Player(house="windows", answers=["WIN"])
    assert "won" in player("cheat")
    assert "windows has" in Player()("cheat")


def test_new_games(monkeypatch):
    monkeypatch.setattr(loop, "DEALT_SECONDS", 60.0)  # with sanitizers a second is short
    player = Player()
    player("number 24")
    assert player.game.number == 24
    player("number fc1-c2-aaaaakh")
    assert (player.game.number, player.game.house.variant.cells) == (327, 2)
    assert "FC1-C2-AAAAAKH" in player("code")
    assert "No deal" in player("number 0")
    assert "cannot be won" in player("11982")
    assert player.game.number == 11982
    player("FC1-C4-AAAAAKH")
    assert (player.game.number, player.game.house.variant.cells) == (327, 4)
    player("daily")
    assert player.game.number == daily_number()
    numbers = set()
    for _ in range(5):
        player("new")
        numbers.add(player.game.number)
    assert len(numbers) > 1 and all(1 <= number <= 32000 for number in numbers)


def test_a_code_a_file_and_a_saved_game_leave_the_own_house_rules_alone(tmp_path):
    player = Player(house="app")
    player("number FC1-C2-AAAAAKH")
    assert str(player.game.house) == "app cells=2"
    player(f"export {tmp_path / 'board'}")
    player(f"save {tmp_path / 'game'}")
    for line in ("number ms24", "new", "daily"):
        for other in (
            "FC1-C2-AAAAAKH",
            f"import {tmp_path / 'board'}",
            f"load {tmp_path / 'game'}",
        ):
            player(other)
            player(line)
            assert str(player.game.house) == "app"
    player("FC1-C2-AAAAAKH")
    assert "are app cells=2 already" in player("rules cells=2")
    player("new")
    assert str(player.game.house) == "app cells=2"
    player("rules linear")
    player("FC1-C2-AAAAAKH")
    player("new")
    assert str(player.game.house) == "linear"


def test_a_code_at_the_shell_leaves_the_house_rules_alone():
    ran = piped("number 24\n", "FC1-C2-AAAAAKH", "--rules", "app", "--no-records")
    assert "Deal 327 · app cells=2 ·" in ran.stdout and "Deal 24 · app ·" in ran.stdout


def test_random_deals_are_never_proved_impossible():
    for _ in range(15):
        game = random_game(HouseRules.parse("strict cells=1"), 32000)
        assert game.board.free_cells == 1
    assert random_game(PRESETS["web"], 5).number <= 5


def test_the_daily_deal_is_the_same_for_all_and_never_11982():
    import datetime

    days = [datetime.date(2026, 1, 1) + datetime.timedelta(days=day) for day in range(3000)]
    numbers = [daily_number(day) for day in days]
    assert numbers == [daily_number(day) for day in days]
    assert 11982 not in numbers and len(set(numbers)) > 2700
    assert all(1 <= number <= 32000 for number in numbers)


def test_a_deal_typed_in():
    lines = deal(9).to_text().splitlines()
    player = Player(answers=[*lines, "."])
    player("custom")
    assert player.game.start == deal(9)
    player = Player(answers=["AC AC", "."])
    assert "twice or more: AC" in player("custom") and player.game.number == 617


def test_export_and_import_are_the_identity_in_mid_game(tmp_path):
    player = Player(1)
    player("solve")
    while not (sum(player.game.board.foundations) and player.game.board.free_cells in (1, 2, 3)):
        player("redo")
    middle = player.game.board
    assert Board.parse(player("export")) == middle
    path = tmp_path / "my board.txt"
    player(f"export {path}")
    player("new")
    player(f"import {path}")
    assert player.game.board == middle
    assert path.read_text().endswith("\n")
    path.write_text("my letter")
    assert "choose another name" in player(f"export {path}")
    assert path.read_text() == "my letter"
    assert "No such file" in player("import nowhere.txt")


def test_save_and_load_a_file(tmp_path):
    path = tmp_path / "game.txt"
    player = Player(617, "app")
    player("4a 8b")
    player("undo")
    text = player.game.to_text()
    assert "saved" in player(f"save {path}")
    assert "saved" in player(f"save {path}")
    player("new")
    player(f"load {path}")
    assert player.game.turns and player.game.future
    assert player.game.to_text().splitlines()[:4] == text.splitlines()[:4]
    assert player(f"import {path}") == f"This is a saved game: `load {path}`"
    board = tmp_path / "board.txt"
    player(f"export {board}")
    assert f"`import {board}` plays it" in player(f"load {board}")
    path.write_text(path.read_text().replace("4a", "4b"))
    before = player.game
    assert "changed or cut off" in player(f"load {path}")
    assert player.game is before
    path.write_text("a letter")
    assert "choose another name" in player(f"save {path}")


def test_rules_are_shown_and_changed():
    player = Player()
    said = player("rules")
    assert all(name in said for name in PRESETS)
    player("rules linear cells=3")
    assert str(player.game.house) == "linear cells=3" and player.game.number == 617
    player("rules points=on")
    assert player.game.house.points and player.game.house.name == "linear"
    assert "there are web" in player("rules poker")
    assert "`rules variant=penguin`" in player("rules penguin")
    assert "say cells=N" in player("rules cells")


def test_cards_back_from_home():
    board = Board.parse(QUEENS)
    player = Player(board, "app")
    assert "J♠" in player("back js 1")
    assert player.game.board.foundations[3] == 10
    assert "not on top" in player("back 5h 1")
    assert "Say a card and a place" in player("back js")
    assert "do not come back" in Player(board, "web")("back js 1")
    assert "do not come back" in Player(board, "web")("h1")


def test_rules_say_which_options_they_leave_out():
    said = Player(house="strict cells=2 face_down=on")("rules linear")
    assert "Without cells=2 face_down=on, as it was: `rules linear cells=2 face_down=on`" in said
    assert "Without" not in Player(house="strict cells=2")("rules linear cells=3")
    assert "Without" not in Player(house="strict cells=2")("rules points=on")
    said = Player(house="strict cells=2")("rules variant=eight_off")
    assert "Without cells=2, as it was: `rules variant=eight_off cells=2` keeps that" in said


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("zz", "I do not know 'zz'. Moves are like 4a"),
        ("udno", "I do not know 'udno'. Did you mean undo?"),
        ("kh", "K♥ is covered: 10♣ on K♥ is no run"),
        ("ts", "10♠ is covered: K♠ on 10♠ is no run"),
        ("10s", "10♠ is covered: K♠ on 10♠ is no run"),
        ("10♠", "10♠ is covered: K♠ on 10♠ is no run"),
        ("91", "No column 9: this board has 8"),
        ("undo2", "There is nothing to undo"),
    ],
)
def test_messages_are_of_help_and_name_a_card_one_way(line, says):
    assert Player()(line).startswith(says)


def test_a_number_may_be_typed_at_its_command():
    player = Player()
    player("4a 8b")
    assert player("undo2") == "2 moves taken back."
    player("r2")
    assert player("u2") == "2 moves taken back."


def test_plain_shows_the_board_of_another_game_but_not_after_every_move():
    ran = piped("4a\nundo\nrules tap\n4a\nundo\n", "617", "--plain", "--no-records")
    assert ran.stdout.count("Column 1: seven of diamonds") == 2


# Sessions from a pipe


def piped(lines: str, *arguments: str, **env: str):
    """`fcfast play` reading lines from a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "fcfast", "play", *arguments],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **env},
        timeout=120,
    )


def assert_tidy(text: str, width: int = 80) -> None:
    """No escape, no trailing blank, no line that is too wide."""
    assert ESCAPE not in text and "\r" not in text
    for line in text.splitlines():
        assert line == line.rstrip() and len(line) <= width, line


SESSION = "4a\n8b\nmoves\nhelp\nrules\nwhy 52\nfoo\nundo\nexport\nhint\nboard\nquit\n"


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("looks", [[], ["--plain"], ["--letters", "--four-colours"]])
def test_a_pipe_gets_tidy_lines(width, looks, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys, "stdin", io.StringIO(SESSION))
    assert cli.main(["play", "617", "--no-records", *looks]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert_tidy(out, width)
    assert ("♥" in out) == (looks == [])


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}]
)
def test_letters_where_glyphs_cannot_be(env):
    ran = piped(SESSION, "617", "--no-records", **env)
    assert ran.returncode == 0
    assert_tidy(ran.stdout)
    assert ran.stdout.isascii() and " 4H" in ran.stdout


@pytest.mark.parametrize("width", [40, 80, 200])
def test_other_boards_fit_too(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    for house in ("variant=penguin", "variant=eight_off", "cells=10", "columns=13 cells=10"):
        for hidden in ("", " face_down=on"):
            player = Player(9, f"web {house}{hidden}")
            player("board")
            assert_tidy(player.shown, width)
            assert ("##" in player.shown) == bool(hidden)


def test_plain_says_every_change_and_empty_places():
    ran = piped("4a\n", "617", "--plain", "--no-records")
    assert "Four of hearts from column 4 to cell a." in ran.stdout
    assert "Cell b: empty." in ran.stdout and "Home: nothing yet." in ran.stdout


def test_a_kept_game_is_offered_to_a_pipe_too(tmp_path):
    records = ["--records", str(tmp_path / "r.sqlite3")]
    ran = piped("4a\n", "617", *records)
    assert "The game is kept" in ran.stdout
    ran = piped("resume\nquit\n", "24", *records)
    assert "A game is kept (Deal 617" in ran.stdout
    assert "Deal 617 · web · 1 move" in ran.stdout


def test_what_a_pipe_leaves_unfinished_is_not_lost(tmp_path):
    records = Records(tmp_path / "r.sqlite3")
    for lines in ("4a\n", "4a\nnew\nquit\n", "4a\nsave\nnumber 5\n1a\n"):
        said = piped(lines, "617", "--records", str(records.path)).stdout
        assert ("This game goes on. giveup or save comes first." in said) == ("new" in lines)
    assert records.stats()["games"] == 0 and len(records.kept()) == 4


def test_a_damaged_kept_game_is_said_and_dropped(tmp_path):
    records = Records(tmp_path / "r.sqlite3")
    game = Game(617)
    game.move("4a")
    records.keep(game)
    with records._open() as database:
        database.execute("UPDATE kept SET game = replace(game, '4a', '4b')")
    ran = piped("", "24", "--records", str(records.path))
    assert "could not be read and is dropped" in ran.stdout and "Deal 24" in ran.stdout
    assert records.kept() == []


def test_watching_from_a_pipe_shows_every_move_to_the_win():
    ran = piped("", "--watch", "1", "--plain")
    assert ran.returncode == 0 and ran.stdout.rstrip().endswith("Won.")
    assert_tidy(ran.stdout)
    ran = piped("", "--watch", "11982", "--pause", "0")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "This deal cannot be won under these rules: that is proved." in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["0"], "no deal 0"),
        (["nowhere"], "nor is there such a file"),
        (["FC1-C4-AAAAAAA"], "deal 0"),
        (["--rules", "poker"], "there are web"),
        (["--cells", "11"], "0..10"),
        (["--autoplay", "maybe"], "not one of off"),
        (["--random-from", "0"], "not a number"),
        (["--daily", "5"], "not both"),
        (["-1"], "--rules windows or --jokes)\n"),
        (["--rules", "windows", "1000001"], "at the shell --last-deal all)\n"),
        (["--rules", "penguin"], "--variant penguin"),
    ],
)
def test_bad_usage(arguments, says, capsys):
    try:
        code = cli.main(["play", *arguments, "--no-records"])
    except SystemExit as stopped:
        code = stopped.code
    out, err = capsys.readouterr()
    assert code == 2 and says in err and out == ""
