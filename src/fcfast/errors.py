"""The errors fcfast raises. All are ValueErrors of one family; a search's outcome is never one."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any


class FcfastError(ValueError):
    """Base of every error that fcfast raises for a caller's mistake."""


class InvalidDeal(FcfastError):
    """A deal number of the wrong type or out of range."""


class InvalidVariant(FcfastError):
    """A rule set that does not exist or contradicts itself."""


class InvalidBoard(FcfastError):
    """A layout that is not 52 cards in legal places. `faults` lists everything wrong with it."""

    def __init__(self, faults: str | Iterable[str]) -> None:
        self.faults: tuple[str, ...] = (faults,) if isinstance(faults, str) else tuple(faults)
        super().__init__("; ".join(self.faults))

    def __reduce__(self) -> tuple[type[InvalidBoard], tuple[tuple[str, ...]]]:
        return type(self), (self.faults,)


class InvalidWeights(FcfastError):
    """A file of evaluation weights that is damaged or not one of fcfast's."""


class InvalidMove(FcfastError):
    """Text or values that are not a move at all."""


class IllegalMove(FcfastError):
    """A move that the rules do not allow on this board; the message says why."""


class AutoplayConflict(IllegalMove):
    """A legal move that an autoplay policy has made impossible by taking a card home too early."""


class InvalidSave(FcfastError):
    """Text that is not a saved game, or one that was changed or cut off."""


class BadSolution(FcfastError):
    """A list of moves that does not win the board it was given for.

    `index` is the position of the first wrong move, counted from 0, or None where every move is
    legal but cards are left.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        self.index = index
        super().__init__(message)

    def __reduce__(self) -> tuple[type[BadSolution], tuple[str, int | None]]:
        return type(self), (str(self), self.index)


class BadCertificate(FcfastError):
    """A certificate that does not prove what it claims; the message says why."""


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The int that an option of that name stands for. Raises FcfastError."""
    try:
        number = operator.index(value)
    except TypeError:
        raise FcfastError(f"{name} must be a whole number, not {shown(value)}") from None
    if number < least or (most is not None and number > most):
        allowed = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
        raise FcfastError(f"{name} must be {allowed}, not {shown(value)}")
    return number


def shown(value: object) -> str:
    """A value in a message, however long it is."""
    try:
        text = repr(value)
    except ValueError:  # an int of more than 4,300 digits
        text = "one with thousands of digits"
    return text if len(text) <= 40 else text[:37] + "..."
