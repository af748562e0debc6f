"""What depends on where output goes: colour, suit glyphs, the progress line. Imports cards.

rich is imported only when there is colour or motion to show: it takes longer than most solves.
"""

from __future__ import annotations

import os
import re
import sys
import time
from typing import TYPE_CHECKING, TextIO

from fcfast import cards

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID
    from rich.status import Status

RED_CARD = re.compile(r"\b(?:10|[0-9AJQKT])[DH♦♥]")
LETTERS = str.maketrans(cards.GLYPHS, cards.SUITS)


def show(text: str, stream: TextIO | None = None) -> None:
    """Prints text with cards in it: red ones red where colour is wanted, letters for suits where
    the stream's encoding has no glyphs."""
    stream = stream or sys.stdout
    if not can_show(text, stream):
        encoding = stream.encoding or "ascii"
        text = text.translate(LETTERS).encode(encoding, "replace").decode(encoding)
    if not _may_colour(stream):
        print(text, file=stream)
        return
    from rich.console import Console
    from rich.text import Text

    painted = Text(text)
    painted.highlight_regex(RED_CARD, "red")
    Console(file=stream, soft_wrap=True).print(painted)


def can_show(text: str, stream: TextIO) -> bool:
    """Can the stream's encoding show a text? In the locale C it takes ASCII only, whatever Python
    makes of that locale."""
    ascii_only = os.environ.get("LC_ALL") in ("C", "POSIX")
    try:
        text.encode("ascii" if ascii_only else stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _may_colour(stream: TextIO) -> bool:
    """A quick no for pipes and NO_COLOR; rich decides the rest (TERM=dumb, kinds of terminal)."""
    if os.environ.get("NO_COLOR"):
        return False
    return stream.isatty() or bool(os.environ.get("FORCE_COLOR"))


class Progress:
    """How far a long task is, on stderr.

    A terminal gets one line after a second, which keeps changing and is gone at the end: with a
    bar where the part that is done is known. Anything else gets a plain line every ten seconds.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._line: Status | Bar | None = None
        self._task: TaskID | None = None
        self._in_place = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._due = time.monotonic() + (1 if self._in_place else 10)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.stop()

    def __call__(self, message: str, part: float | None = None) -> None:
        """Says where the task is; `part` of it, 0 to 1, is done."""
        if self._quiet or time.monotonic() < self._due:
            return
        if not self._in_place:
            print(message, file=sys.stderr, flush=True)
            self._due = time.monotonic() + 10
        elif part is None:
            self._spin(message)
        else:
            self._fill(message, part)

    def _spin(self, message: str) -> None:
        from rich.console import Console
        from rich.status import Status

        if not isinstance(self._line, Status):
            self._line = Console(stderr=True).status(message, spinner="line")
            self._line.start()
        self._line.update(message)

    def _fill(self, message: str, part: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        if self._task is None or not isinstance(self._line, Bar):
            console = Console(stderr=True)
            columns = BarColumn(bar_width=20), TextColumn("{task.description}", markup=False)
            self._line = Bar(*columns, console=console, transient=True)
            self._task = self._line.add_task(message, total=1.0)
            self._line.start()
        self._line.update(self._task, description=message, completed=part)
