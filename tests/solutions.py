"""Winning solutions for the tests, from data/solutions.tsv."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from fcfast.board import Board
from fcfast.deals import deal
from fcfast.moves import Move
from fcfast.rules import PRESETS, Variant


class Solution(NamedTuple):
    variant: Variant
    number: int
    board: Board
    moves: tuple[Move, ...]


def solution(name: str, number: int) -> Solution:
    """The solution of one deal of a variant."""
    return next(one for one in SOLUTIONS if (one.variant.name, one.number) == (name, number))


def _load() -> list[Solution]:
    found = []
    for line in (Path(__file__).parent / "data" / "solutions.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, number, moves = line.split("\t")
        variant = PRESETS[name]
        found.append(
            Solution(
                variant,
                int(number),
                deal(int(number), variant),
                tuple(Move(word[0], word[1], int(word[2], 16)) for word in moves.split()),
            )
        )
    return found


SOLUTIONS = _load()
each_solution = {
    "argvalues": SOLUTIONS,
    "ids": [f"{one.variant.name}-{one.number}" for one in SOLUTIONS],
}
