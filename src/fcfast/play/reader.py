"""Reads lines and keys from whoever plays: with readline at a terminal, plainly from a pipe.

Imports nothing of fcfast.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator


def line_reader(words: list[str], plain: bool) -> tuple[Callable[[str], str], bool]:
    """A function that shows a prompt and returns a line, and whether somebody sits there.

    At a terminal it has editing, history and completion of `words` where readline is present; in
    plain mode and on a dumb terminal it has none, since readline moves the cursor. Lines from a
    pipe are repeated after their prompt, so that a log shows what was played.
    """
    if not sys.stdin.isatty():
        return _read_from_pipe, False
    if not plain and os.environ.get("TERM") != "dumb":
        with contextlib.suppress(ImportError):  # Windows has none
            _start_readline(words)
    return _read_from_terminal, True


def _start_readline(words: list[str]) -> None:
    import readline

    def complete(text: str, state: int) -> str | None:
        return next(iter([word for word in words if word.startswith(text)][state:]), None)

    readline.set_completer(complete)
    # Pasted lines are typed lines, and the switch to say so would be an escape in every prompt.
    for setting in ("tab: complete", "set enable-bracketed-paste off", "set enable-meta-key off"):
        readline.parse_and_bind(setting)


def _read_from_terminal(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        ignore_hangup()  # where a window is closed it comes next, and would interrupt the keeping
        raise


def ignore_hangup() -> None:
    """From now on the terminal may close without a signal."""
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _read_from_pipe(prompt: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(f"{prompt}{line.rstrip()}".rstrip())
    return line


@contextlib.contextmanager
def key_reader() -> Iterator[Callable[[float], str]]:
    """A function that waits some seconds for a key and names it, "" if none was pressed.

    Arrow keys are "left", "right", "up" and "down". Keys come at once, without Enter; where stdin
    is no terminal none ever comes, and nobody is waited for.
    """
    if not sys.stdin.isatty():
        yield lambda seconds: ""
        return
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield _windows_key
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield lambda seconds: _unix_key(terminal, seconds)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}


def _unix_key(terminal: int, seconds: float) -> str:
    if not select.select([terminal], [], [], seconds)[0]:
        return ""
    pressed = os.read(terminal, 1)
    if not pressed:
        return "q"  # the terminal is gone
    if pressed == b"\x1b" and select.select([terminal], [], [], 0.05)[0]:
        return _ARROWS.get(os.read(terminal, 2)[1:].decode(errors="replace"), "other")
    return pressed.decode(errors="replace")


def _windows_key(seconds: float) -> str:
    import msvcrt  # type: ignore[import-not-found, unused-ignore]
    import time

    due = time.monotonic() + seconds
    while not msvcrt.kbhit():  # type: ignore[attr-defined, unused-ignore]
        if time.monotonic() >= due:
            return ""
        time.sleep(0.02)
    pressed: str = msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
    if pressed in ("\x00", "\xe0"):
        code = msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
        return {"H": "up", "P": "down", "M": "right", "K": "left"}.get(code, "")
    return pressed
