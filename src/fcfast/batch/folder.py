"""A folder of chunks: whose it is, which deals are finished, which are left.

Imports chunks, and solutions for the names of rules. One run at a time works on a folder; any
number of them may read it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import IO, Any

from fcfast.batch.chunks import NAME, Chunk, DamagedChunk, Kind, read_chunk
from fcfast.batch.summary import Summary
from fcfast.errors import FcfastError
from fcfast.rules import Variant
from fcfast.solutions import describe

LOCK = ".fcfast-lock"
_guard = Lock()
_ours: set[Path] = set()


@contextmanager
def working_on(folder: Path) -> Iterator[None]:
    """Makes the folder and keeps other runs out of it. Raises FcfastError if one is at work.

    The lock is the system's, so it goes when its process goes, killed or not.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = (folder / LOCK).resolve()
    with _guard:
        if path in _ours:
            raise FcfastError(f"another run is at work in {folder}")
        _ours.add(path)
    try:
        with path.open("a") as file:
            if not _locked(file):
                raise FcfastError(f"another run is at work in {folder}")
            yield
    finally:
        _ours.discard(path)


if sys.platform == "win32":
    import msvcrt

    def _locked(file: IO[str]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: IO[str]) -> bool:
        # Of the process (lockf), not of the open file (flock): a process forked by someone else
        # would go on holding that after its parent was killed.
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True


def files_of(folder: Path) -> list[tuple[int, int, Path]]:
    """(first, last, path) of the chunks in a folder and the folders in it, by number.

    Raises FcfastError where two of them have a deal in common.
    """
    found = sorted(
        (int(named[1]), int(named[2]), path)
        for path in folder.rglob("*")
        if (named := NAME.fullmatch(path.name))
    )
    for (_, last, one), (first, _, other) in pairwise(found):
        if first <= last:
            raise FcfastError(f"{one} and {other} have deals in common")
    return found


def format_in(folder: Path) -> str | None:
    """The format of the files in a folder, None if it has none."""
    return next((path.suffix[1:] for _, _, path in files_of(folder)), None)


def clean_up(folder: Path) -> None:
    """Removes what a killed run had begun to write."""
    for draft in folder.glob(".*.tmp"):
        draft.unlink(missing_ok=True)


def finished(folder: Path, kind: Kind, first: int, last: int) -> Iterator[Chunk]:
    """The chunks that are there already of first..last, each checked against its rows.

    One that is damaged is named in a warning and removed. Raises FcfastError for a folder made
    with other settings, and where a chunk is only partly in first..last.
    """
    for begin, end, path in files_of(folder):
        inside = first <= begin and end <= last
        if not inside and begin <= last and first <= end:
            raise FcfastError(
                f"{path} is only partly in {first}..{last}: take a range of whole chunks, "
                "or another folder"
            )
        try:
            chunk, _ = read_chunk(path)
        except DamagedChunk as damage:
            if inside:
                warnings.warn(f"{damage}; its deals are solved again", stacklevel=4)
                path.unlink()
            continue
        refuse_other_settings(chunk, kind)
        if inside:
            yield chunk


def refuse_other_settings(chunk: Chunk, kind: Kind) -> None:
    """Raises FcfastError, naming each difference."""
    differences = settings_that_differ(chunk.settings, kind.settings())
    if differences:
        raise FcfastError(f"{chunk.path} was made with {differences}")


def settings_that_differ(one: dict[str, Any], other: dict[str, Any]) -> str:
    """``node_limit 40 instead of 41, ...``: what `one` has instead of what `other` has."""
    return ", ".join(
        f"{name} {_setting(name, one.get(name))} instead of {_setting(name, other.get(name))}"
        for name in one | other
        if one.get(name) != other.get(name)
    )


def _setting(name: str, value: Any) -> str:
    with suppress(TypeError, ValueError):  # of files from other versions
        if name == "variant":
            return f"({describe(Variant(**value))})"
    return "none" if value is None else str(value)


def left(
    done: Iterable[tuple[int, int]], first: int, last: int, size: int
) -> Iterator[tuple[int, int]]:
    """The chunks still to make: what is not done, cut after every multiple of `size`."""
    for begin, end in [*done, (last + 1, last)]:
        while first < begin:
            cut = min(begin - 1, (first + size - 1) // size * size)
            yield first, cut
            first = cut + 1
        first = end + 1


def read_folder(
    folder: Path,
) -> tuple[Summary, list[tuple[int, int]], dict[str, Any], list[str]]:
    """What all chunks came to, the ranges they cover, their settings, and what is wrong with
    damaged ones.

    Raises FcfastError where there is none, or where they were made with different settings.
    """
    total, covered, wrong = Summary(), list[tuple[int, int]](), list[str]()
    sample: Chunk | None = None
    for first, last, path in files_of(folder):
        try:
            chunk, _ = read_chunk(path)
        except DamagedChunk as damage:
            wrong.append(str(damage))
            continue
        sample = sample or chunk
        if chunk.settings != sample.settings:
            differences = settings_that_differ(sample.settings, chunk.settings)
            raise FcfastError(f"{sample.path} and {path} do not add up: {differences}")
        total += chunk.summary
        if covered and covered[-1][1] + 1 == first:
            covered[-1] = covered[-1][0], last
        else:
            covered.append((first, last))
    if sample is None:
        raise FcfastError("; ".join([f"no whole chunks in {folder}", *wrong]))
    return total, covered, sample.settings, wrong
