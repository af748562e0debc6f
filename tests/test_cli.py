"""The command line: exit codes, streams, colour, encodings, and what each command prints."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fcfast.terminal
from fcfast import cli
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.notation import STYLES
from fcfast.rules import PRESETS, Variant
from fcfast.terminal import Progress

CASES = Path(__file__).parent / "data" / "cases"


class Ran:
    """One run of the command line in this process."""

    def __init__(self, capsys, *arguments: object) -> None:
        try:
            self.code = int(cli.main([str(argument) for argument in arguments]))
        except SystemExit as stopped:
            self.code = stopped.code
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def fcfast_(capsys):
    """Runs the command line: ``fcfast_("deal", 617).out``."""
    return lambda *arguments: Ran(capsys, *arguments)


def shell(*arguments: str, env: dict[str, str] | None = None, **options):
    """Runs the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "fcfast", *arguments],
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=60,
        **options,
    )


# Deals


def test_deal_prints_a_board_that_parses_back(fcfast_):
    ran = fcfast_("deal", 617)
    assert (ran.code, ran.err) == (0, "")
    assert Board.parse(ran.out) == deal(617)


@pytest.mark.parametrize("style", ["fc-solve", "rows", "unicode"])
@pytest.mark.parametrize("variant", sorted(PRESETS))
def test_deal_in_every_style_and_variant(fcfast_, style, variant):
    ran = fcfast_("deal", "ms24", "--style", style, "--variant", variant)
    assert Board.parse(ran.out, PRESETS[variant]) == deal(24, PRESETS[variant])
    assert not any(line.endswith(" ") for line in ran.out.splitlines())


def test_deal_as_json(fcfast_):
    out = fcfast_("deal", "-1", "--json").out
    assert json.loads(out)["tableau piles"][0][0] == "AC"
    assert Board.parse(out) == deal(-1)


def test_a_code_is_a_deal_with_so_many_cells(fcfast_):
    board = Board.parse(fcfast_("deal", "fc1-c2-aaaaakh").out)
    assert board == deal(327, PRESETS["freecell"].replace(cells=2))
    assert fcfast_("deal", "FC1-C2-AAAAAKH", "--cells", 4).out == fcfast_("deal", 327).out
    solved = json.loads(fcfast_("solve", "FC1-C5-AAAAAKH", "--json").out)
    assert solved["deal"] == 327 and solved["variant"]["cells"] == 5
    ran = fcfast_("deal", "FC2-C4-AAAAAKH")
    assert ran.code == 2 and "only version 1 is known" in ran.err


def test_deal_with_other_counts(fcfast_):
    board = Board.parse(fcfast_("deal", 1, "--columns", 7, "--cells", 2).out, columns=7)
    assert (len(board.columns), len(board.cells)) == (7, 2)


def test_a_variant_as_json(fcfast_):
    text = Variant(columns=10, cells=3).to_json()
    assert len(fcfast_("deal", 1, "--variant", text).out.splitlines()) >= 10


# Bad command lines: exit code 2, a message on stderr that says what is wrong, nothing on stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deal", "0"], "1..8589934591, -1 and -2"),
        (["deal", str(2**39 + 3)], "1..8589934591, -1 and -2"),
        (["deal", "x"], "no deal 'x'"),
        (["deal", "-1", "--variant", "penguin"], "eight columns"),
        (["deal", "617", "--variant", "eight_board"], "freecell, relaxed_freecell, bakers_game"),
        (["deal", "617", "--variant", '{"cells": 99}'], "0..10"),
        (["deal", "617", "--variant", "{"], "not JSON"),
        (["deal", "617", "--cells", "11"], "0..10"),
        (["deal", "617", "--cells", "-1"], "--cells"),
        (["deal", "617", "--cells", "two"], "'two' is not a whole number"),
        (["deal", "617", "--cells"], "--cells"),
        (["deal", "617", "--cell", "2"], "--cell"),
        (["deal", "617", "--variant", "eight_off", "--cells", "2"], "cannot be dealt"),
        (["deal"], "N"),
        (["deal", "617", "-t"], "-t"),
        (["--vers"], "--vers"),
        ([], "COMMAND"),
        (["solve"], "N|FILE|-"),
        (["solve", "61x"], "'61x' is no file, and no deal: deals are whole numbers 1..8589934591"),
        (["solve", ""], "'' is no file"),
        (["solve", "617", "--html", "-"], "'-' is not the name"),
        (["solve", "617", "--html", "/no/such/folder"], "/no/such/folder: no such file"),
        (["solve", "617", "--memory-limit", "63K"], "64K or more"),
        (["cells", "617", "--cells", "3"], "--cells"),
        (["cells", "617", "--workers", "0"], "1 or more"),
        (["prove", "617", "--plain"], "--check"),
        (["prove", "617", "--folder", __file__], "test_cli.py: it is a file, not a folder"),
        (["prove", "11982", "--certificate", "/no/such/folder"], "/no/such: no such file"),
        (["solve", str(2**33)], "1..8589934591, -1 and -2"),
        (["solve", "617", "--node-limit"], "--node-limit"),
        (["solve", "617", "--node-limit", "-5"], "--node-limit"),
        (["solve", "617", "--time-limit", "nan"], "'nan' is not a number of seconds"),
        (["solve", "617", "--memory-limit", "12Q"], "512M"),
        (["solve", "617", "--notation", "morse"], "morse"),
        (["solve", "617", "--autoplay", "mostly"], "mostly"),
        (["verify", "no-such.txt"], "no-such.txt"),
        (["find", "no-such.board"], "no-such.board: no such file"),
        (["--print-completion", "cmd"], "cmd"),
    ],
)
def test_bad_command_lines(fcfast_, arguments, message):
    ran = fcfast_(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize("command", ["solve", "find"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "0 of 52 cards"),
        (b"2C\n", "missing"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"x" * 2_000_000, "characters"),
        ((CASES / "25.board").read_bytes(), "AC"),
    ],
)
def test_bad_files(fcfast_, tmp_path, command, text, message):
    file = tmp_path / "a.board"
    file.write_bytes(text)
    ran = fcfast_(command, file)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_bad_stdin():
    ran = shell("solve", "-", input=b"\xff\xfe\x00")
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"fcfast: - is not text in UTF-8")


@pytest.mark.skipif(os.name == "nt", reason="shells of POSIX")
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("solve 617 >&-", 0, b""),
        ("range 1 5 --rows --json >&-", 0, b""),
        ("solve - <&-", 2, b"fcfast: 0 of 52 cards: the text is empty\n"),
        ("solve 61x 2>&-", 2, b""),
    ],
)
def test_closed_streams(command, code, said):
    ran = subprocess.run(
        f"{sys.executable} -m fcfast {command}", shell=True, stderr=subprocess.PIPE, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (code, said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_full_disk():
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "fcfast", "deal", "617"], stdout=full, stderr=subprocess.PIPE
        )
    assert (ran.returncode, ran.stderr) == (2, b"fcfast: no space left on device\n")


def test_a_folder_is_not_a_file(fcfast_, tmp_path):
    assert fcfast_("solve", tmp_path).code == 2


def test_an_endless_file():
    ran = shell("solve", "/dev/zero")
    assert ran.returncode == 2
    assert b"characters" in ran.stderr


# Help


def every_parser(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    return [parser, *cli.commands_of(parser)]


def test_every_option_has_an_example_and_no_abbreviation():
    for parser in every_parser(cli.build_parser()):
        assert not parser.allow_abbrev
        assert "example" in parser.epilog and "130" in parser.epilog
        for action in parser._actions:
            if action.option_strings and action.dest != "help":
                assert f"(example: {action.option_strings[0]}" in action.help or (
                    "(example: fcfast" in action.help
                ), action.option_strings


def test_examples_in_help_parse():
    """Every `fcfast ...` in an epilog is a command line that argparse takes."""
    parser = cli.build_parser()
    examples = [
        part.split(">")[0].split()[1:]
        for command in every_parser(parser)
        for line in command.epilog.splitlines()
        for part in line.replace("|", ";").split(";")
        if part.strip().startswith("fcfast ")
    ]
    assert len(examples) > 8
    for example in examples:
        assert parser.parse_args(example).run


def test_version(fcfast_):
    ran = fcfast_("--version")
    assert (ran.code, ran.out) == (0, f"fcfast {cli.__version__}\n")


@pytest.mark.parametrize("name", ["bash", "zsh", "tcsh"])
def test_completion(fcfast_, name):
    ran = fcfast_("--print-completion", name)
    assert ran.code == 0
    assert "solve" in ran.out and "node-limit" in ran.out
    if name == "bash":
        assert "pos_0_COMPGEN=_shtab_compgen_files" in ran.out


# Colour and encodings


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"NO_COLOR": "1", "FORCE_COLOR": "1"},
        {"TERM": "dumb"},
        {"FORCE_COLOR": ""},
    ],
    ids=["pipe", "NO_COLOR", "dumb", "FORCE_COLOR empty"],
)
def test_no_colour(env):
    ran = shell("deal", "617", env=env)
    assert ran.returncode == 0
    assert b"\x1b" not in ran.stdout


def test_forced_colour_paints_red_cards_only():
    out = shell("deal", "617", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).stdout.decode()
    assert "\x1b[31m7D\x1b[0m" in out
    assert "\x1b[31m7S" not in out
    assert out.count("\x1b[31m") == 26


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}], ids=["ascii", "cp1252"]
)
def test_letters_where_the_encoding_has_no_suits(env):
    plain = shell("deal", "617", "--style", "unicode", env={"PYTHONIOENCODING": "utf-8"}).stdout
    ran = shell("deal", "617", "--style", "unicode", env=env)
    assert ran.returncode == 0, ran.stderr
    letters, glyphs = ran.stdout.decode("ascii"), plain.decode("utf-8")
    assert [len(line) for line in letters.splitlines()] == [
        len(line) for line in glyphs.splitlines()
    ]
    assert "♦" in glyphs
    assert Board.parse(letters) == Board.parse(glyphs) == deal(617)


def test_the_c_locale():
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = shell("deal", "617", "--style", "unicode", env=env)
    assert ran.returncode == 0, ran.stderr
    assert Board.parse(ran.stdout.decode("ascii")) == deal(617)


def test_a_reader_that_leaves_early():
    with subprocess.Popen(
        [sys.executable, "-m", "fcfast", "deal", "617"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        complaints = process.stderr.read()
        assert (process.wait(60), complaints) == (141, b"")


# Progress


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a test says so."""

    class Clock:
        now = 100.0

    monkeypatch.setattr(fcfast.terminal.time, "monotonic", lambda: Clock.now)
    return Clock


def test_progress_on_a_pipe_is_plain_lines_ten_seconds_apart(clock, capsys):
    with Progress() as progress:
        for second in range(25):
            clock.now = 100.0 + second
            progress(f"{second} s")
    assert capsys.readouterr() == ("", "10 s\n20 s\n")


def test_no_progress_if_quiet(clock, capsys):
    with Progress(quiet=True) as progress:
        clock.now += 100
        progress("working")
    assert capsys.readouterr() == ("", "")


def test_progress_on_a_terminal_is_one_line(clock, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Progress() as progress:
        clock.now += 2
        progress("first message")
        progress("second message")
    err = capsys.readouterr().err
    assert "second message" in err
    assert err.endswith("\r\x1b[1A\x1b[2K")  # the line is gone at the end
    err.encode("ascii")


# Numbers of boards


def test_find(fcfast_, tmp_path):
    file = tmp_path / "617.board"
    file.write_text(deal(3_000_000_000).to_text())
    assert fcfast_("find", file).out == "3000000000\n"
    assert json.loads(fcfast_("find", file, "--json").out) == {"deals": [3_000_000_000]}


def test_find_permuted(fcfast_, tmp_path):
    board = deal(617)
    file = tmp_path / "shuffled.board"
    swapped = Board((board.columns[1], board.columns[0], *board.columns[2:]))
    file.write_text(swapped.to_text())
    ran = fcfast_("find", file)
    assert (ran.code, ran.out) == (1, "")
    assert "no number" in ran.err
    assert fcfast_("find", file, "--permuted").out == "617\n"


# Solutions


@pytest.fixture
def from_617(fcfast_, tmp_path):
    """A file with what solve prints for deal 617 and some options."""

    def solved(*options: str) -> Path:
        ran = fcfast_("solve", 617, *options)
        assert (ran.code, ran.err) == (0, "")
        file = tmp_path / "617.txt"
        file.write_text(ran.out)
        return file

    return solved


def test_what_solve_prints(from_617):
    text = from_617().read_text()
    assert text.startswith("Deal 617 (Microsoft)\nVariant: freecell\n\n")
    assert deal(617).to_text().rstrip() in text
    assert "Moves (standard notation, autoplay safe):" in text
    assert "\nSolved: " in text and " nodes, " in text and " singles" in text
    assert not any(line.endswith(" ") for line in text.splitlines())
    moves = text.split("):\n")[1].split("\n\n")[0].splitlines()
    assert {len(line.split()) for line in moves[:-1]} == {10}


@pytest.mark.parametrize("notation", STYLES)
@pytest.mark.parametrize("options", [[], ["--json"], ["--boards"]], ids=["text", "json", "boards"])
def test_verify_reads_what_solve_prints(fcfast_, from_617, notation, options):
    ran = fcfast_("verify", from_617("--notation", notation, *options))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Right: ") and "Deal 617 (Microsoft)" in ran.out


@pytest.mark.parametrize("autoplay", ["off", "horne", "safe"])
def test_autoplay_is_kept(fcfast_, from_617, autoplay):
    file = from_617("--autoplay", autoplay)
    ran = fcfast_("verify", file, "--json")
    assert json.loads(ran.out)["autoplay"] == autoplay


def test_counts_of_solve_and_verify_agree(fcfast_, from_617):
    file = from_617("--json")
    solved = json.loads(file.read_text())
    verified = json.loads(fcfast_("verify", file, "--json").out)
    assert verified["right"] is True
    assert solved["counts"] == {**verified["counts"], "autoplay": "safe"}
    assert (solved["deal"], solved["status"], solved["limit"]) == (617, "solved", None)
    assert Board.parse(solved["board"]) == deal(617)


def test_boards_after_every_movement(from_617):
    text = from_617("--boards").read_text()
    boards = text.split("\nBoards:\n")[1].split("\n\n")
    assert boards[0].lstrip().startswith("1. ")
    last = boards[-1].split("\n", 1)[1]
    assert Board.parse(last).is_won


def test_verify_a_wrong_solution(fcfast_, from_617):
    file = from_617("--notation", "singles", "--autoplay", "off")
    text = file.read_text()
    start = text.index("):\n") + 3
    file.write_text(text[:start] + "1h " + text[start:])
    ran = fcfast_("verify", file)
    assert ran.code == 1
    assert ran.out.startswith("Wrong: move 1 (1h)")
    assert "JD cannot go home before AD" in ran.out
    said = json.loads(fcfast_("verify", file, "--json").out)
    assert said["right"] is False and "JD" in said["fault"]


def test_verify_an_unfinished_solution(fcfast_, tmp_path):
    file = tmp_path / "moves.txt"
    file.write_text("1a 2b\n")
    ran = fcfast_("verify", file, "--deal", 617, "--autoplay", "off")
    assert ran.code == 1
    assert "52 cards are not home" in ran.out


def test_verify_a_solution_of_another_deal(fcfast_, from_617):
    text = from_617().read_text()
    moves = text.split("):\n")[1].split("\n\n")[0]
    file = from_617()
    file.write_text(moves)
    assert fcfast_("verify", file, "--deal", 617).code == 0
    assert fcfast_("verify", file, "--deal", 618).code == 1
    ran = fcfast_("verify", file)
    assert (ran.code, ran.out) == (2, "")
    assert "--deal" in ran.err


def test_verify_with_a_board_file(fcfast_, from_617, tmp_path):
    file = from_617()
    file.write_text(file.read_text().split("):\n")[1].split("\n\n")[0])
    board = tmp_path / "617.board"
    board.write_text(deal(617).to_text())
    ran = fcfast_("verify", file, "--board", board)
    assert ran.code == 0
    assert "Board without a number" in ran.out


def test_verify_notices_a_board_that_is_not_the_deal_named(fcfast_, from_617):
    file = from_617()
    file.write_text(file.read_text().replace("Deal 617", "Deal 618"))
    ran = fcfast_("verify", file)
    assert ran.code == 2
    assert "not Deal 618 (Microsoft)" in ran.err


def test_verify_takes_the_rules_of_the_file_only(fcfast_, from_617):
    ran = fcfast_("verify", from_617(), "--cells", 3)
    assert ran.code == 2
    assert "names its rules itself" in ran.err


@pytest.mark.parametrize("text", ["", "{}", '{"moves": 3}', "[1]", "hello world", "Deal 617\n"])
def test_verify_what_is_no_solution(fcfast_, tmp_path, text):
    file = tmp_path / "moves.txt"
    file.write_text(text)
    ran = fcfast_("verify", file, "--deal", 617)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_solve_a_file_and_stdin(fcfast_, tmp_path, monkeypatch):
    file = tmp_path / "24.board"
    file.write_text(deal(24).to_text())
    ran = fcfast_("solve", file)
    assert ran.code == 0
    assert ran.out.startswith("Board without a number\n")
    with file.open() as opened:
        monkeypatch.setattr(sys, "stdin", opened)
        assert fcfast_("solve", "-").out.split("\n\n")[:3] == ran.out.split("\n\n")[:3]


@pytest.mark.parametrize("variant", sorted(PRESETS))
def test_solve_then_verify_every_variant(fcfast_, tmp_path, variant):
    number = next(n for n in range(1, 20) if fcfast_("solve", n, "--variant", variant).code == 0)
    file = tmp_path / "solution.txt"
    file.write_text(fcfast_("solve", number, "--variant", variant).out)
    assert f"Variant: {variant}\n" in file.read_text()
    assert fcfast_("verify", file).code == 0


def test_other_counts_reach_verify(fcfast_, tmp_path):
    ran = fcfast_("solve", 1, "--cells", 6, "--columns", 9)
    assert "Variant: freecell, 9 columns, 6 cells\n" in ran.out
    file = tmp_path / "solution.txt"
    file.write_text(ran.out)
    assert fcfast_("verify", file).code == 0


def test_impossible(fcfast_, tmp_path):
    ran = fcfast_("solve", 11982)
    assert ran.code == 1
    assert "\nImpossible: every position was searched\n" in ran.out
    file = tmp_path / "11982.txt"
    file.write_text(ran.out)
    assert fcfast_("verify", file).code == 2
    said = json.loads(fcfast_("solve", 11982, "--json").out)
    assert (said["status"], said["moves"], said["limit"]) == ("impossible", [], None)


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        (("--node-limit", 0), "nodes"),
        (("--node-limit", 10), "nodes"),
        (("--time-limit", 0), "time"),
    ],
)
def test_limits(fcfast_, limit, name):
    ran = fcfast_("solve", 11982, *limit)
    assert ran.code == 3
    assert f"\nLimit of {name} reached" in ran.out
    said = json.loads(fcfast_("solve", 11982, *limit, "--json").out)
    assert (said["status"], said["limit"], said["moves"]) == ("limit", name, [])
    if name == "nodes":
        assert said["nodes"] == limit[1]


def test_a_file_that_shows_rows_is_noted_on_stderr(fcfast_):
    ran = fcfast_("solve", CASES / "28.board")
    assert ran.code == 0
    assert "row" in ran.err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c(tmp_path):
    """A search of ten seconds stops at once, with exit code 130 and no traceback."""
    file = tmp_path / "wide.board"
    file.write_text(deal(1, Variant(columns=13)).to_text())
    script = "import sys; from fcfast.cli import main; print('ready', flush=True); sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", script, "find", file, "--permuted", "--columns", "13"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=60)
        assert time.monotonic() - sent < 1
    assert (process.returncode, out) == (130, b"")
    assert err == b"fcfast: interrupted\n"


# Proofs


def test_prove_writes_a_certificate_that_check_confirms(fcfast_, tmp_path):
    path = tmp_path / "781948.fcc"
    ran = fcfast_("prove", 781948, "--certificate", path, "--workers", 2)
    assert (ran.code, ran.err) == (1, "")
    assert "mpossible" in ran.out
    assert fcfast_("prove", "--check", path).code == 0
    assert fcfast_("prove", 781948, "--check", path, "--plain").code == 0
    ran = fcfast_("prove", 781949, "--check", path, "--json")
    assert (ran.code, json.loads(ran.out)["right"]) == (1, False)
    assert fcfast_("prove", 781948, "--cells", 5, "--certificate", path).code == 0
    ran = fcfast_("prove", "--check", path, "--json")
    assert (ran.code, json.loads(ran.out)) == (0, {"right": True, "status": "solved"})


def test_prove_goes_on_from_its_folder(fcfast_, tmp_path):
    folder = tmp_path / "proof"
    arguments = ("prove", 11982, "--folder", folder, "--workers", 1, "--json")
    ran = fcfast_(*arguments, "--node-limit", 20_000)
    assert (ran.code, json.loads(ran.out)["limit"]) == (3, "nodes")
    ran = fcfast_(*arguments)
    assert (ran.code, json.loads(ran.out)["nodes"]) == (1, 30_446)


def test_prove_needs_a_board(fcfast_):
    ran = fcfast_("prove")
    assert (ran.code, ran.out) == (2, "")
    assert "--check" in ran.err


def test_cells(fcfast_):
    ran = fcfast_("cells", 11982)
    assert ran.code == 0
    assert ran.out.endswith("\nFewest cells: 5; impossible with 4 (30,446 positions)\n")
    said = json.loads(fcfast_("cells", 164, "--json").out)
    assert (said["cells"], [proof["status"] for proof in said["proofs"]]) == (0, ["solved"])
    ran = fcfast_("cells", 1, "--node-limit", 10, "--json")
    assert (ran.code, json.loads(ran.out)["cells"]) == (3, None)
