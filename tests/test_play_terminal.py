"""The text game at a pseudo-terminal: whole games under each set of house rules, escapes, keys."""

import os
import re
import signal
import sys

import pytest

from fcfast.board import Board
from fcfast.play.game import Game
from fcfast.play.houserules import PRESETS
from fcfast.play.records import Records

pexpect = pytest.importorskip("pexpect", reason="no pseudo-terminals here")
ESCAPE = "\x1b"


class Terminal:
    """`fcfast play` at a pseudo-terminal."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        lines: int = 40,
        prompt: str = r"> $",
        **env: str,
    ) -> None:
        of_terminals = ("LANG", "LC_", "TERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(of_terminals)
        }
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "fcfast", "play", *arguments],
            env={**inherited, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **env},
            dimensions=(lines, columns),
            encoding="utf-8",
            echo=False,
            timeout=60,
        )
        self.child.delaybeforesend = None  # echo is off, so there is nothing to wait for
        self.all = ""  # every byte
        self.answer(prompt)

    def answer(self, prompt: str) -> str:
        self.child.expect(prompt)
        self.all += self.child.before + self.child.after
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", self.child.before)

    def type(self, line: str, prompt: str = r"> $") -> str:
        """What comes back before the next prompt, without colours."""
        self.child.sendline(line)
        return self.answer(prompt).removeprefix(line)

    def winning_line(self) -> list[str]:
        return self.type("win?").partition("it can be won: ")[2].split()

    def exported(self) -> Board:
        """The board that `export` writes, below the one that is drawn."""
        return Board.parse(self.type("export").rpartition("\n\n")[2])

    def leave(self) -> str:
        self.child.expect(pexpect.EOF)
        self.all += self.child.before
        self.child.close()
        assert self.child.exitstatus == 0
        return self.child.before


AUTOPLAY = {"linear": "safe", "app": "all"}  # the others: horne, so that an undo takes back some


@pytest.mark.parametrize(
    ("house", "plain"), [*((house, False) for house in sorted(PRESETS)), ("web", True)]
)
def test_a_whole_game_with_a_refusal_an_undo_a_hint_a_save_and_a_resume(house, plain, tmp_path):
    records = ["--records", str(tmp_path / "records.sqlite3"), *["--plain"] * plain]
    rules = ["--rules", house, "--autoplay", AUTOPLAY.get(house, "horne")]
    terminal = Terminal("9", *rules, *records)
    assert "is not one rank lower" in terminal.type("12")
    assert "Hint: " in terminal.type("hint")
    game = Game(9, f"{house} autoplay={AUTOPLAY.get(house, 'horne')}")
    undone = False
    for move in terminal.winning_line():
        before, turn = game.board, game.move(move)
        terminal.type(move)
        if turn.followed:
            terminal.type("undo")
            assert terminal.exported() == before
            terminal.type("redo")
            undone = True
            break
    assert undone
    assert terminal.exported() == game.board
    saved = tmp_path / "game.txt"
    assert "saved" in terminal.type(f"save {saved}")
    assert Game.from_text(saved.read_text()).board == game.board
    terminal.type("undo")  # the file has another game now
    terminal.type("quit", r"cancel\] $")
    terminal.child.sendline("yes")
    assert "kept" in terminal.leave()

    back = Terminal(*records, prompt=r"drop\] $")
    assert "A game is kept: Deal 9" in back.all
    assert "Here is your game again" in back.type("yes")
    line = back.winning_line()
    said = [back.type(" ".join(line[start : start + 9])) for start in range(0, len(line), 9)]
    assert "You have won" in said[-1]
    back.child.sendline("quit")
    back.leave()
    if plain:
        assert ESCAPE not in terminal.all + back.all
    stats = Records(tmp_path / "records.sqlite3").stats()
    assert (stats["games"], stats["won"], stats["helped"]) == (1, 0, 1)  # there was a hint


@pytest.mark.parametrize(
    ("env", "arguments", "columns"),
    [
        ({"TERM": "dumb"}, [], 40),
        ({"NO_COLOR": "1"}, [], 80),
        ({}, ["--plain"], 200),
        ({"LC_ALL": "C", "TERM": "dumb"}, [], 80),
    ],
)
def test_terminals_that_get_no_escapes(env, arguments, columns):
    terminal = Terminal("617", "--no-records", *arguments, columns=columns, **env)
    terminal.type("4a 8b")
    terminal.type("moves")
    terminal.type("rules")
    terminal.type("undo")
    terminal.child.sendline("quit")
    terminal.child.expect(r"Leave it\? \[yes/No\] $")
    terminal.child.sendline("yes")
    terminal.leave()
    assert ESCAPE not in terminal.all and "Enter shows" not in terminal.all
    for line in terminal.all.replace("\r", "").splitlines():
        if not line.startswith(("> ", "Without")):
            assert len(line) <= columns and line == line.rstrip()


def test_a_terminal_with_colour_redraws_in_place():
    terminal = Terminal("617", "--no-records")
    terminal.type("4a")
    assert f"{ESCAPE}[2J" in terminal.all and f"{ESCAPE}[1;31m" in terminal.all
    terminal.child.sendeof()
    terminal.leave()


def seen(terminal: Terminal, before: int) -> list[str]:
    """The lines that a terminal shows of what came after `before` characters, since it was cleared
    last."""
    shown = terminal.all[before:].rpartition(f"{ESCAPE}[H")[2]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", shown).split("\n")


def test_a_small_terminal_shows_board_message_and_prompt():
    """40 columns and 12 lines: nothing scrolls away, long texts come a page at a time."""
    terminal = Terminal("617", "--no-records", columns=40, lines=12)
    terminal.type("solve")
    for line in ("redo", "53", "undo", "hint", "redo 9", "redo 9", "undo 3"):
        before = len(terminal.all)
        terminal.type(line)
        shown = seen(terminal, before)
        assert len(shown) <= 12 and all(len(row) <= 40 for row in shown[:-1]), shown
        assert "Deal 617" in shown[0] and shown[-1] == "> "
        assert shown[2].split() == list("12345678")
    terminal.child.sendline("help")
    pages = 1
    while terminal.child.expect([r"no to stop\) $", r"> $"]) == 0:
        assert terminal.child.before.count("\n") <= 12
        terminal.child.sendline("")
        pages += 1
    assert pages > 2


def read_to_the_end(terminal: Terminal, line: str) -> list[str]:
    """What the terminal shows, and what has scrolled away above it, of the last page included."""
    terminal.type(line, PAGE_OR_PROMPT)
    while terminal.all.endswith("stop) "):
        terminal.type("", PAGE_OR_PROMPT)
    return seen(terminal, 0)


PAGE_OR_PROMPT = r"(?:> |no to stop\) )$"


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 24), (40, 12), (80, 8), (80, 60)])
def test_the_board_is_in_sight_or_the_prompt_says_how_to_see_it(columns, lines):
    terminal = Terminal("617", "--no-records", columns=columns, lines=lines)
    for line in ("moves", "why 12", "rules", "help", "win?", "help options", "83 12", "moves"):
        shown = read_to_the_end(terminal, line)
        in_sight = len(shown) <= lines
        assert shown[-1] == ("> " if in_sight else "(Enter shows the board) > "), shown
        again = read_to_the_end(terminal, "")
        assert len(again) <= lines and again[-1] == "> "
        assert all(rows[0].startswith("Deal 617") for rows in (shown, again))
    assert len(read_to_the_end(terminal, "moves")) <= 24 or lines < 24 or columns < 80


def test_board_shows_all_cards_where_a_terminal_has_no_room_for_them():
    terminal = Terminal("617", "--no-records", columns=40, lines=9)
    for line, whole in (("", False), ("board", True)):
        shown = "\n".join(read_to_the_end(terminal, line))
        assert shown.count("..") == 8 * (not whole)
        assert len(re.findall("(?:10|[A-Z2-9])[♣♦♥♠]", shown)) == (52 if whole else 32), shown


def test_a_long_search_says_that_it_thinks_and_can_be_stopped():
    terminal = Terminal("5", "--fill", "none", "--cells", "5", "--no-records")
    terminal.type("1a")
    terminal.child.sendline("hint")
    terminal.child.expect("Thinking; Ctrl-C stops that")
    terminal.child.sendintr()
    terminal.answer(r"> $")
    assert "Stopped." in terminal.all and terminal.type("undo").count("1 move taken back") == 1


def test_watching_with_keys():
    terminal = Terminal("1", "--watch", "--pause", "60", prompt="q: quit")

    def press(keys: str, wanted: str) -> None:
        terminal.child.send(keys)
        terminal.child.expect(wanted)

    right, left, up = f"{ESCAPE}[C", f"{ESCAPE}[D", f"{ESCAPE}[A"
    press(right, r"1\. ")
    press(right + right, r"3\. ")
    press(left, "Back to move 2")
    press(left + left + left, "Back to move 0")
    press(up * 20 + " ", r"Won\.")
    press(left, "Back to move")
    terminal.child.send("q")
    terminal.leave()


def test_the_terminal_hanging_up_keeps_the_game(tmp_path):
    path = tmp_path / "records.sqlite3"
    terminal = Terminal("617", "--records", str(path))
    terminal.type("4a")
    terminal.child.kill(signal.SIGHUP)
    terminal.child.wait()
    assert [Game.from_text(game.text).move_count for game in Records(path).kept()] == [1]
