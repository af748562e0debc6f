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

    A terminal gets one line after a second, which keeps changing and is gone at the end; anything
    else gets a plain line every ten seconds.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._line: Status | None = None
        self._in_place = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._due = time.monotonic() + (1 if self._in_place else 10)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.stop()

    def __call__(self, message: str) -> None:
        if self._quiet or time.monotonic() < self._due:
            return
        if self._line is not None:
            self._line.update(message)
        elif self._in_place:
            from rich.console import Console

            self._line = Console(stderr=True).status(message, spinner="line")
            self._line.start()
        else:
            print(message, file=sys.stderr, flush=True)
            self._due = time.monotonic() + 10
