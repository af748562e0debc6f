"""Who races: an adapter for each solver, known by name, or described in a TOML file.

A name is a family and, after a colon, a mode: ``fcfast:short``, ``fc-solve:looking-glass``. A
*process* is started for every deal, so that its time has its start in it; a *library* stays in a
worker process (worker.py), and the time of the call is taken there. Imports autoplay, board,
errors, notation and processes.
"""

from __future__ import annotations

import ctypes.util
import importlib.util
import json
import re
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from fcfast._version import __version__
from fcfast.autoplay import POLICIES, Policy
from fcfast.benchmark.processes import Finished, Limits, run
from fcfast.board import Board
from fcfast.errors import FcfastError
from fcfast.notation import STYLES, Style
from fcfast.result import Goal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found]

Claim = Literal["solved", "impossible", "gave up", "failed"]
DEBIAN = "apt install freecell-solver-bin"


@dataclass(frozen=True)
class Task:
    """A deal to solve: its number, and its board with as many cells as the race has."""

    number: int
    board: Board

    @property
    def cells(self) -> int:
        return len(self.board.cells)


@dataclass(frozen=True)
class Answer:
    """What a solver says. moves None: it does not show any. seconds and cpu: its call's, where
    they were taken inside. length: its own count of its moves."""

    claim: Claim
    moves: str | None = None
    notation: Style | None = None
    autoplay: Policy | None = None
    detail: str = ""
    nodes: int | None = None
    length: int | None = None
    seconds: float | None = None
    cpu: float | None = None


@dataclass(frozen=True)
class BulkAnswer:
    """What a solver says of a range of deals: who is which, and some solutions to look at."""

    solved: int
    impossible: tuple[int, ...] = ()
    unsolved: tuple[int, ...] = ()
    seconds: float | None = None
    moves: Mapping[int, Answer] = field(default_factory=dict)


class Solver(ABC):
    """A contestant. `mode` is the part of its name after the colon."""

    family: str
    summary: ClassVar[str]
    timed: ClassVar[Literal["process", "call"]]
    cells: ClassVar[range] = range(11)
    default: ClassVar[str] = ""

    def __init__(self, mode: str = "") -> None:
        self.mode = mode or self.default

    @property
    def name(self) -> str:
        return f"{self.family}:{self.mode}" if self.mode != self.default else self.family

    @abstractmethod
    def missing(self) -> str | None:
        """Why it cannot run here and what would help, or None."""

    def version(self) -> str:
        """What it says of its version, "" if nothing."""
        return ""


class ProcessSolver(Solver):
    """A program that is started for every deal."""

    timed = "process"
    program: str
    install: str
    reads_boards: bool = True  # else it deals numbers itself

    def missing(self) -> str | None:
        if shutil.which(self.program) is None:
            return f"{self.program} is not on PATH; {self.install}"
        return None

    @abstractmethod
    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        """The command line, and what goes to its stdin. It runs in `folder`, a fresh one."""

    @abstractmethod
    def read(self, task: Task, finished: Finished) -> Answer:
        """Understands what a program that was not stopped has printed."""


class LibrarySolver(Solver):
    """A Python library in a worker, which is started once and again after every stop."""

    timed = "call"

    def command(self, cells: int) -> list[str]:
        """The command line of the worker."""
        module = "fcfast.benchmark.worker"
        return [sys.executable, "-m", module, self.family, self.mode, str(cells)]


class Fcfast(LibrarySolver):
    """fcfast.solve(); each goal that it knows is a mode."""

    family = "fcfast"
    summary = f"this package, called from Python; modes: {', '.join(get_args(Goal))}"
    default = "any"

    def __init__(self, mode: str = "") -> None:
        super().__init__(mode)
        if self.mode not in get_args(Goal):
            modes = ", ".join((*get_args(Goal), "cli"))
            raise FcfastError(f"fcfast has no mode {self.mode!r}; there are {modes}")

    def missing(self) -> str | None:
        return None

    def version(self) -> str:
        return __version__


class FcfastProgram(ProcessSolver):
    """``fcfast solve``, one process a deal, as a shell script would use it."""

    family = "fcfast-cli"
    summary = "this package's command line, one process a deal"
    program = sys.executable
    install = ""

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        line = [sys.executable, "-m", "fcfast", "solve", "-", "--json", "--notation", "fc-solve"]
        return line, task.board.to_text()

    def read(self, task: Task, finished: Finished) -> Answer:
        try:
            said = json.loads(finished.output)
            status, moves, nodes = said["status"], "\n".join(said["moves"]), said["nodes"]
        except (ValueError, KeyError, TypeError):
            return not_understood(finished)
        if status == "solved":
            return Answer("solved", moves, "fc-solve", "off", nodes=nodes)
        return Answer("impossible" if status == "impossible" else "gave up", nodes=nodes)

    def version(self) -> str:
        return __version__


class FcSolve(ProcessSolver):
    """Shlomi Fish's Freecell Solver; modes are its presets. It also has a program for ranges."""

    family = "fc-solve"
    summary = "Freecell Solver's program; modes are its presets"
    program = "fc-solve"
    install = DEBIAN
    default = "looking-glass"
    range_program = "freecell-solver-range-parallel-solve"
    # Other presets leave kinds of moves out; its manual says so of "I could not solve this game".
    complete = ("toons-for-twenty-somethings", "tfts")

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        return [self.program, *self._options(task.cells), "-sel", "-m"], task.board.to_text()

    def read(self, task: Task, finished: Finished) -> Answer:
        nodes = re.search(r"number of states checked is (\d+)", finished.output)
        count = int(nodes[1]) if nodes else None
        if "This game is solveable" in finished.output:
            return Answer("solved", finished.output, "fc-solve", "off", nodes=count)
        if "I could not solve this game" in finished.output:
            return self._could_not(count)
        if "Iterations count exceeded" in finished.output:
            return Answer("gave up", nodes=count)
        return not_understood(finished)

    def bulk_command(self, first: int, last: int, cells: int) -> list[str]:
        """The command line that solves a range and shows no moves."""
        return [self.range_program, str(first), str(last), str(last), *self._options(cells)]

    def solutions_command(self, first: int, last: int, cells: int) -> list[str]:
        """The command line that solves a range again and writes a file for each deal."""
        line = self.bulk_command(first, last, cells)
        return [*line[:4], "--solutions-directory", "./", *line[4:], "-sam"]

    def read_bulk(self, deals: range, finished: Finished, folder: Path) -> BulkAnswer:
        """Understands the range program; solutions_command() has run in `folder`."""
        failed = re.findall(r"(?:Unsolved|Intractable) Board No\. (\d+)", finished.output)
        out = tuple(sorted({int(number) for number in failed}))
        moves = {
            int(path.stem): Answer("solved", path.read_text(), "fc-solve", "off")
            for path in sorted(folder.glob("*.sol"))
        }
        proved, unsolved = (out, ()) if self.mode in self.complete else ((), out)
        return BulkAnswer(len(deals) - len(out), proved, unsolved, moves=moves)

    def version(self) -> str:
        done = run([self.program, "--version"], "", Limits(wall=5), Path.cwd())
        return done.output.strip().rpartition(" ")[2]

    def _options(self, cells: int) -> list[str]:
        return ["-l", self.mode, "--freecells-num", str(cells), "-p", "-t"]

    def _could_not(self, nodes: int | None) -> Answer:
        if self.mode in self.complete:
            return Answer("impossible", nodes=nodes)
        return Answer("gave up", detail="could not solve it, which proves nothing", nodes=nodes)


class FreecellSolverPackage(LibrarySolver):
    """The PyPI package freecell_solver, which calls the same library; modes are its presets."""

    family = "freecell_solver"
    summary = "the PyPI package of that name, called from Python; modes are its presets"
    default = "looking-glass"

    def missing(self) -> str | None:
        if importlib.util.find_spec("freecell_solver") is None:
            return "not installed; pip install freecell_solver, apt install libfreecell-solver0"
        if ctypes.util.find_library("freecell-solver") is None:
            return "it needs a library; apt install libfreecell-solver0"
        return None

    def version(self) -> str:
        from importlib.metadata import version

        return version("freecell_solver")


class Macroxue(ProcessSolver):
    """macroxue's beam search; the mode is the binary logarithm of its width."""

    family = "macroxue"
    summary = "macroxue/freecell's `solver`; the mode is the logarithm of the beam's width"
    program = "macroxue"
    install = "build `solver` of github.com/macroxue/freecell and put it there under this name"
    default = "10"
    cells = range(4, 5)
    reads_boards = False

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        return [self.program, "-A", str(task.number), self.mode], ""

    def read(self, task: Task, finished: Finished) -> Answer:
        found = re.findall(rf"^{task.number}:([0-9a-hr]+)\s*$", finished.output, re.MULTILINE)
        if found:
            return Answer("solved", found[-1], "macro", "all", length=len(found[-1]) // 2)
        if "No solution" in finished.output:
            return Answer("gave up")
        return not_understood(finished)


class VerdictProgram(ProcessSolver):
    """A program that shows no moves: a word is all it says of a deal."""

    cells = range(4, 5)
    claims: ClassVar[Mapping[str, Claim]]

    @abstractmethod
    def word(self, task: Task) -> str:
        """The regular expression whose group is that word."""

    def read(self, task: Task, finished: Finished) -> Answer:
        found = re.search(self.word(task), finished.output, re.MULTILINE)
        if found is None:
            return not_understood(finished)
        return Answer(self.claims.get(found[1], "gave up"))


class Solvitaire(VerdictProgram):
    """Blake and Gent's general solver. It shows boards instead of moves, so we ask for none."""

    family = "solvitaire"
    summary = "Solvitaire, verdicts only"
    program = "solvitaire"
    install = "build it from github.com/thecharlieblake/Solvitaire"
    claims: ClassVar[Mapping[str, Claim]] = {"solved": "solved", "unsolvable": "impossible"}

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        (folder / "deal.json").write_text(task.board.to_text("json"))
        return [self.program, "--type", "free-cell", "--classify", "deal.json"], ""

    def word(self, task: Task) -> str:
        return r"\b(solved|unsolvable|timed-out|mem-limit)\s*\Z"


class Kpat(VerdictProgram):
    """KPatience's ``--solve``: verdicts of its FreeCell (game 3), no moves."""

    family = "kpat"
    summary = "KPatience's --solve, verdicts only"
    program = "kpat"
    install = "apt install kpat"
    reads_boards = False
    claims: ClassVar[Mapping[str, Claim]] = {"won": "solved", "lost": "impossible"}

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        number = str(task.number)
        line = [self.program, "--solve", "3", "--start", number, "--end", number]
        return ["env", "QT_QPA_PLATFORM=offscreen", *line], ""

    def word(self, task: Task) -> str:
        return rf"^{task.number} (won|lost|unknown)\b"


class Alaatm(ProcessSolver):
    """alaatm's solver in .NET; its modes are astar and dfs."""

    family = "alaatm"
    summary = "alaatm/freecell-solver; modes astar, dfs"
    program = "alaatm"
    install = "build github.com/alaatm/freecell-solver and put its fc-solve there under this name"
    default = "astar"
    cells = range(4, 5)
    reads_boards = False

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        return [self.program, "run", "-v", self.mode, "-d", str(task.number)], ""

    def read(self, task: Task, finished: Finished) -> Answer:
        moves = re.search(r"^moves: (\S+)", finished.output, re.MULTILINE)
        if moves is None:
            return Answer("gave up") if "Bailed" in finished.output else not_understood(finished)
        ours = [
            _from_zero(source) + _from_zero(target) + (f"v{int(count):x}" if count else "")
            for source, target, count in re.findall(
                r"([0-7a-d])([0-7a-dh])(?:\{(\d+)\})?", moves[1]
            )
        ]
        length = re.search(r"#moves: (\d+)", finished.output)
        return Answer(
            "solved", " ".join(ours), "standard", length=int(length[1]) if length else None
        )


def _from_zero(place: str) -> str:
    return str(int(place) + 1) if place.isdigit() else place


FAMILIES: dict[str, type[Solver]] = {
    family.family: family
    for family in (
        Fcfast,
        FcfastProgram,
        FcSolve,
        FreecellSolverPackage,
        Macroxue,
        Solvitaire,
        Kpat,
        Alaatm,
    )
}


# Solvers described in a file


class Described(ProcessSolver):
    """A solver that a TOML file describes:

        [solver.mine]
        command = ["mine", "--moves", "{file}"]   # {number}, {cells}; without {file} or {number}
                                                  # the board goes to stdin
        layout = "fc-solve"                       # of the board: fc-solve, rows, unicode, json
        solved = "^Solved"                        # what its output then has in it, as regular
        impossible = "^No solution exists"        #   expressions; ^ and $ match at lines
        gave_up = "^Out of time"
        moves = "(?s)Moves:(.*)"                  # group 1; without it verdicts alone are judged
        notation = "standard"                     # standard, singles, macro, fc-solve; found out
        autoplay = "horne"                        # off, horne, safe, all; found out
        length = "in (\\\\d+) moves"                 # its own count, compared with ours in
        metric = "moves"                          #   moves or singles
        install = "ask its author"
    """

    summary = "described in a file"
    keys: ClassVar[dict[str, type]] = {
        "command": list,
        **dict.fromkeys(
            (
                "layout",
                "solved",
                "impossible",
                "gave_up",
                "moves",
                "notation",
                "autoplay",
                "length",
                "metric",
                "install",
            ),
            str,
        ),
    }

    def __init__(self, name: str, entry: Mapping[str, Any]) -> None:
        super().__init__()
        self.family = name
        self.entry = entry
        faults = [f"no key {key!r}" for key in entry if key not in self.keys]
        faults += [
            f"{key} is not a {kind.__name__}"
            for key, kind in self.keys.items()
            if not isinstance(entry.get(key, kind()), kind)
        ]
        command = entry.get("command", [])
        if not command or not all(isinstance(word, str) for word in command):
            faults.append("command is not a list of words")
        for key, known in (
            ("layout", ("fc-solve", "rows", "unicode", "json")),
            ("notation", STYLES),
            ("autoplay", POLICIES),
            ("metric", ("moves", "singles")),
        ):
            if key in entry and entry[key] not in known:
                faults.append(f"{key} is {entry[key]!r}, not one of {', '.join(known)}")
        for key in ("solved", "impossible", "gave_up", "moves", "length"):
            try:
                groups = re.compile(str(entry.get(key, ""))).groups
            except re.error as error:
                faults.append(f"{key} is not a regular expression: {error}")
            else:
                if key in ("moves", "length") and key in entry and groups != 1:
                    faults.append(f"{key} needs one group, it has {groups}")
        if "solved" not in entry:
            faults.append("solved is missing")
        if faults:
            raise FcfastError(f"solver {name}: {'; '.join(faults)}")
        self.program = entry["command"][0]
        self.install = entry.get("install", "see what describes it")
        self.reads_boards = not any("{number}" in word for word in command)

    def command(self, task: Task, folder: Path) -> tuple[list[str], str]:
        text = task.board.to_text(self.entry.get("layout", "fc-solve"))
        (folder / "board").write_text(text, encoding="utf-8")
        filled = {"{file}": "board", "{number}": str(task.number), "{cells}": str(task.cells)}
        line = []
        for word in self.entry["command"]:
            for blank, value in filled.items():
                word = word.replace(blank, value)
            line.append(word)
        told = any("{file}" in word or "{number}" in word for word in self.entry["command"])
        return line, "" if told else text

    def read(self, task: Task, finished: Finished) -> Answer:
        entry, output = self.entry, finished.output
        if self._has("solved", output):
            moves = length = None
            if "moves" in entry:
                found = re.search(entry["moves"], output, re.MULTILINE)
                moves = found[1] if found else ""
            if "length" in entry:
                counted = re.search(entry["length"], output, re.MULTILINE)
                length = int(counted[1]) if counted and counted[1].isdecimal() else None
            return Answer(
                "solved", moves, entry.get("notation"), entry.get("autoplay"), length=length
            )
        if self._has("impossible", output):
            return Answer("impossible")
        if self._has("gave_up", output):
            return Answer("gave up")
        return not_understood(finished)

    @property
    def metric(self) -> str:
        """What its own count counts."""
        return str(self.entry.get("metric", "moves"))

    def _has(self, key: str, output: str) -> bool:
        pattern = self.entry.get(key)
        return pattern is not None and re.search(pattern, output, re.MULTILINE) is not None


def described(path: Path) -> dict[str, Described]:
    """The solvers in a TOML file. Raises FcfastError for one that describes none."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("solver", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FcfastError(f"{path} is not TOML: {error}") from None
    if not isinstance(entries, dict) or not entries:
        raise FcfastError(f"{path} describes no solver: [solver.NAME] starts one")
    for name, entry in entries.items():
        if not isinstance(entry, dict) or name in FAMILIES:
            raise FcfastError(f"{path}: solver.{name} is taken, or no table")
    return {name: Described(name, entry) for name, entry in entries.items()}


def find(name: str, others: Mapping[str, Solver]) -> Solver:
    """The solver of that name. Raises FcfastError for an unknown one."""
    if name in others:
        return others[name]
    family, _, mode = name.partition(":")
    if name == "fcfast:cli":
        return FcfastProgram()
    if family not in FAMILIES:
        known = ", ".join([*FAMILIES, *others])
        raise FcfastError(f"no solver {family!r}; there are {known}")
    if not re.fullmatch(r"[\w.-]*", mode):
        raise FcfastError(f"{mode!r} is not a mode")
    return FAMILIES[family](mode)


def not_understood(finished: Finished) -> Answer:
    """A solver that crashed, or printed what its adapter knows nothing of."""
    code = finished.exit_code
    said = (finished.errors.strip() or finished.output.strip()).splitlines()
    last = f": {said[-1][:120]}" if said else ""
    if code is not None and code < 0:
        return Answer("failed", detail=f"ended by signal {-code}{last}")
    if code:
        return Answer("failed", detail=f"exit code {code}{last}")
    return Answer("failed", detail=f"nothing to be understood{last}" if last else "said nothing")
