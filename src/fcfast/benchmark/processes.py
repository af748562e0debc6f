"""Runs programs under limits of wall time, CPU time, memory and output that bind process trees.

A limit given to one process (setrlimit) is another for each of its children, so the tree is watched
instead: through /proc, as often as the nearest limit asks for. Orphans are adopted, so that no
process leaves the tree. Linux only. Imports errors.
"""

from __future__ import annotations

import ctypes
import math
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

from fcfast.errors import FcfastError

MOST_OUTPUT = 4 << 20  # a solution with all its boards has 60 KB
MOST_ERRORS = 64 << 10
MOST_FILE = 1 << 30
LONGEST_PAUSE = 0.020
# Bytes a second. Several times what the kernel hands out (2 GB/s a core, measured), so that a look
# that comes late still comes in time.
FASTEST_GROWTH = 16e9
# A look can come so late on a busy machine. What grows so fast that it would be past its limit by
# then is stopped now, but not below this part of the limit. With a load of 8 on two cores, programs
# that took memory as fast as they got it ended 0 to 13 % past a limit of 300 MiB without this; with
# it, from 4 % before the limit to 5 % past it.
LATE = 0.005
EARLIEST = 0.96
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Limits:
    """What one run may take: seconds of wall time and of CPU time, bytes of resident memory."""

    wall: float = math.inf
    cpu: float = math.inf
    memory: float = math.inf


@dataclass(frozen=True)
class Finished:
    """How a run went. `stopped` names the limit it was stopped at, if it was: "time", "cpu",
    "memory" or "output"; exit_code is None for what was stopped or lives on."""

    output: str
    errors: str
    exit_code: int | None
    stopped: str | None
    wall: float
    cpu: float
    memory: int


@contextmanager
def orphans_adopted() -> Iterator[None]:
    """While it lasts, a process whose parent has died becomes this process's child.

    At its end no child is left that was not there before: an interruption may come when a program
    has started and nobody yet knows it.
    """
    if sys.platform != "linux":
        raise FcfastError("a race needs Linux: limits on process trees are kept through /proc")
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "orphans cannot be adopted")
    before = set(_children(os.getpid()))
    try:
        yield
    finally:
        for _ in _ended(lambda: _tree(_children(os.getpid(), but=before))):
            pass
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def run(command: Sequence[str], text: str, limits: Limits, folder: Path) -> Finished:
    """Starts a program, gives it `text` on stdin and waits for its end, or ends it at a limit.

    Raises OSError for a program that does not start.
    """
    start = time.perf_counter()
    with Program(command, folder) as program:
        program.cap_cpu(min(limits.cpu, limits.wall * (os.cpu_count() or 1)))
        return program.exchange(text, limits, start=start)


class Program:
    """A running program with all the processes it has started."""

    _running: ClassVar[set[int]] = set()

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._strangers = set(_children(os.getpid()))
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            start_new_session=True,
        )
        self.pid = self._process.pid
        self._running.add(self.pid)
        self._own_ticks: dict[tuple[int, int], int] = {}
        self._reaped = 0.0
        self._errors = b""
        self._limit_process(resource.RLIMIT_CORE, 0)
        self._limit_process(resource.RLIMIT_FSIZE, MOST_FILE)
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    def cap_cpu(self, seconds: float) -> None:
        """Makes the kernel end each process well after the limit, should nobody watch any more."""
        if seconds < math.inf:
            self._limit_process(resource.RLIMIT_CPU, math.ceil(seconds) + 2)

    def exchange(
        self, text: str, limits: Limits, one_line: bool = False, start: float | None = None
    ) -> Finished:
        """Sends `text`; waits for the program's end or, with `one_line`, for a line of output.

        CPU time is that of the whole tree: of its life, or with `one_line` of this exchange.
        """
        begin = time.perf_counter() if start is None else start
        cpu_before = self._look()[0] if one_line else 0.0
        output = bytearray()
        to_send = memoryview(text.encode())
        peak = before = 0
        stopped: str | None = None
        pause = 0.001
        with selectors.DefaultSelector() as selector:
            exit_watch = os.pidfd_open(self.pid)
            stdin, stdout, stderr = self._pipes()
            selector.register(exit_watch, selectors.EVENT_READ)
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            selector.register(stdin, selectors.EVENT_WRITE)
            last_look, next_look = begin, begin + pause
            try:
                while True:
                    now = time.perf_counter()
                    until = min(next_look, begin + limits.wall)
                    ready = {key.fileobj for key, _ in selector.select(max(0.0, until - now))}
                    if stdin in ready:
                        to_send = self._send(to_send, close=not one_line)
                        if not to_send:
                            selector.unregister(stdin)
                    for pipe in {stdout, stderr} & ready:
                        if not self._receive(pipe, output):
                            selector.unregister(pipe)
                    now = time.perf_counter()
                    if exit_watch in ready or (one_line and b"\n" in output):
                        break
                    if len(output) > MOST_OUTPUT:
                        stopped = "output"
                    elif now >= begin + limits.wall:
                        stopped = "time"
                    elif now >= next_look:
                        used, held = self._look()
                        used -= cpu_before
                        growth = max(0, held - before) / max(0.001, now - last_look) * LATE
                        most = max(EARLIEST * limits.memory, limits.memory - growth)
                        last_look, before = now, held
                        if held > most:
                            held = self._shared_once(most)
                        peak = max(peak, held)
                        if used >= limits.cpu:
                            stopped = "cpu"
                        elif held > most:
                            stopped = "memory"
                        pause = _pause(pause, limits.cpu - used, limits.memory - held)
                        next_look = time.perf_counter() + pause
                    if stopped:
                        break
            finally:
                os.close(exit_watch)
        wall = now - begin
        lives_on = one_line and exit_watch not in ready and stopped is None
        if lives_on:
            used, held = self._look()
            cpu = used - cpu_before
            peak = max(peak, held)
        else:
            cpu = self.end(output) - cpu_before
        return Finished(
            output.decode("utf-8", "replace"),
            self._errors.decode("utf-8", "replace"),
            None if stopped or lives_on else self._process.returncode,
            stopped,
            wall,
            cpu,
            peak,
        )

    def end(self, output: bytearray | None = None) -> float:
        """Ends every process of the tree, reads what is left in the pipes, and returns the CPU
        time of the tree's whole life."""
        if self.pid in self._running:
            used = self._look()[0]
            for pid, status, seconds in _ended(self._members):
                self._reaped += seconds
                if pid == self.pid:
                    self._process.returncode = os.waitstatus_to_exitcode(status)
            _, stdout, stderr = self._pipes()
            for pipe in (stdout, stderr):
                self._receive(pipe, bytearray() if output is None else output)
            for pipe in self._pipes():
                with suppress(BrokenPipeError):
                    pipe.close()
            self._running.discard(self.pid)
            self._reaped = max(self._reaped, used)
        return self._reaped

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        return process.stdin, process.stdout, process.stderr

    def _limit_process(self, what: int, most: int) -> None:
        with suppress(ProcessLookupError):
            resource.prlimit(self.pid, what, (most, most))

    def _send(self, text: memoryview, close: bool) -> memoryview:
        stdin = self._pipes()[0]
        try:
            text = text[os.write(stdin.fileno(), text[:65536]) :] if text else text
        except BlockingIOError:
            return text
        except BrokenPipeError:  # it does not want to read; what it answers counts
            text = text[:0]
        if close and not text:
            with suppress(BrokenPipeError):
                stdin.close()
        return text

    def _receive(self, pipe: IO[bytes], output: bytearray) -> bool:
        """Takes what a pipe holds, a flood by the megabyte; False at its end."""
        for _ in range(16):
            try:
                chunk = os.read(pipe.fileno(), 65536)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            if pipe is self._process.stderr:
                self._errors = (self._errors + chunk)[-MOST_ERRORS:]
            else:
                output += chunk
        return True

    def _members(self) -> list[int]:
        """The processes of the tree: from the root down, and what has lost its parent."""
        roots = [] if self._process.returncode is not None else [self.pid]
        roots += _children(os.getpid(), but=self._strangers | self._running)
        return _tree(roots)

    def _look(self) -> tuple[float, int]:
        """CPU seconds of the tree so far, and the resident memory of its processes.

        A child's time is added to its parent's when the parent has waited for it, unless it never
        does: so the time is the larger of what the living and their children have used and what
        all that were ever seen have used.
        """
        with_children = 0
        memory = 0
        for pid in self._members():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            user, system, children_user, children_system = map(int, fields[11:15])
            self._own_ticks[pid, int(fields[19])] = user + system
            with_children += user + system + children_user + children_system
            memory += int(fields[21]) * resource.getpagesize()
        ticks = max(with_children, sum(self._own_ticks.values()))
        return ticks / os.sysconf("SC_CLK_TCK"), memory

    def _shared_once(self, most: float) -> int:
        """Resident memory with pages that processes share counted once.

        Slow, 1 ms a gigabyte and more, so the tree stands still meanwhile, and for good if that
        is more than `most`.
        """
        total = 0
        members = self._members()
        _signal(members, signal.SIGSTOP)
        for pid in members:
            with suppress(FileNotFoundError, ProcessLookupError):
                for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        total += int(line.split()[1]) << 10
        if total <= most:
            _signal(members, signal.SIGCONT)
        return total


def _children(pid: int, but: Container[int] = ()) -> list[int]:
    """The children of all threads of a process, but some."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                found += map(int, (thread / "children").read_text().split())
    return [pid for pid in found if pid not in but]


def _tree(roots: list[int]) -> list[int]:
    """Processes with all that descends from them."""
    members = list(roots)
    for pid in members:  # grows while it is walked
        members += _children(pid)
    return members


def _signal(members: list[int], number: int) -> None:
    for pid in members:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _ended(members: Callable[[], list[int]]) -> Iterator[tuple[int, int, float]]:
    """Ends processes until there are none: those that are or become this process's children are
    waited for, and yielded with their status and CPU seconds."""
    while ending := members():
        _signal(ending, signal.SIGKILL)
        mine = set(_children(os.getpid()))
        for pid in ending:
            if pid in mine:
                _, status, used = os.wait4(pid, 0)
                yield pid, status, used.ru_utime + used.ru_stime


def _pause(last: float, cpu_left: float, memory_left: float) -> float:
    """How long nothing can go wrong: short at first, and short near a limit."""
    nearest = min(cpu_left / (os.cpu_count() or 1), memory_left / FASTEST_GROWTH)
    return max(0.001, min(2 * last, LONGEST_PAUSE, nearest))
