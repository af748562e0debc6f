"""Files that a player names: read within reason, and never written over by accident.

Imports errors.
"""

from __future__ import annotations

from pathlib import Path

from fcfast.errors import FcfastError

MOST_CHARACTERS = 1_000_000


def path_of(words: list[str]) -> Path:
    """The path that the rest of a line names; it may have blanks."""
    return Path(" ".join(words)).expanduser()


def read_file(path: Path) -> str:
    """The text of a file. Raises FcfastError where it has no end, and OSError."""
    with path.open(encoding="utf-8-sig") as file:
        text = file.read(MOST_CHARACTERS + 1)
    if len(text) > MOST_CHARACTERS:
        raise FcfastError(f"that file has more than {MOST_CHARACTERS:,} characters")
    return text


def write_new(path: Path, text: str) -> None:
    """Writes a file that is not there yet. Raises FcfastError if it is, and OSError."""
    if path.exists():
        raise FcfastError(f"{path} exists; choose another name")
    path.write_text(text, encoding="utf-8")
