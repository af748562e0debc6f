"""The deals of a race: sets by name, numbers and ranges, samples. Imports deals and errors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fcfast import deals
from fcfast.errors import FcfastError

MOST_DEALS = 1_000_000


@dataclass(frozen=True)
class DealSet:
    """Deal numbers with the number of cells they are played with."""

    name: str
    summary: str
    numbers: Sequence[int]
    cells: int = 4


SETS = {
    one.name: one
    for one in (
        DealSet("ms32k", "the deals of Microsoft FreeCell, 1 to 32000", range(1, 32_001)),
        DealSet("ms1m", "those of its successors, 1 to 1000000", range(1, 1_000_001)),
        DealSet(
            "hard",
            "deals that trouble searches: long solutions, few ways, traps for autoplay",
            (
                *(169, 178, 285, 454, 575, 598, 617, 657, 775, 829, 988, 1025, 1136, 1941),
                *(31465, 57148, 98714, 739671, 1001874, 94717719),
            ),
        ),
        DealSet(
            "impossible",
            "the eight deals of the first million that cannot be won",
            (11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948),
        ),
        DealSet("two-cells", "1 to 1000 with two cells; 211 are impossible", range(1, 1001), 2),
    )
}


def find(name: str) -> DealSet:
    """The set of that name, of numbers and ranges (``1-100,617``), or in a file of such lines.

    Raises FcfastError, InvalidDeal.
    """
    if name in SETS:
        return SETS[name]
    if name[:1].isdigit() or name[:2] in ("-1", "-2"):
        return DealSet(name, "chosen deals", _numbers(name))
    if not Path(name).is_file():
        known = ", ".join(SETS)
        raise FcfastError(f"no set {name!r}; there are {known}, ranges (1-100,617) and files")
    lines = Path(name).read_text(encoding="utf-8").splitlines()
    words = ",".join(line.partition("#")[0] for line in lines)
    return DealSet(Path(name).name, "chosen deals", _numbers(words))


def sample(numbers: Sequence[int], size: int, seed: int) -> list[int]:
    """That many of the numbers, in order, always the same for a seed; all if there are no more."""
    if size >= len(numbers):
        return list(numbers)
    return sorted(random.Random(seed).sample(numbers, size))


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for word in text.replace(",", " ").split():
        first, dash, last = word[1:].partition("-")
        start = deals.parse_number(word[:1] + first)
        end = deals.parse_number(last) if dash else start
        if end - start >= MOST_DEALS:
            raise FcfastError(f"{word} holds more than {MOST_DEALS:,} deals")
        if end < start:
            raise FcfastError(f"{word} ends before it starts")
        found += range(start, end + 1)
    if not found:
        raise FcfastError("there are no deals in the set")
    return list(dict.fromkeys(found))
