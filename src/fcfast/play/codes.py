"""Deal codes: ``FC1-C4-AAAAAKH`` is version 1, four cells, deal 327.

The number is written in seven letters of RFC 4648's base-32 alphabet, five bits each, highest
first. Imports deals (their range) and errors.
"""

from __future__ import annotations

import re

from fcfast.deals import LAST_DEAL
from fcfast.errors import InvalidDeal
from fcfast.rules import MAX_CELLS

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_LETTERS = 7
_CODE = re.compile(r"\s*FC([0-9]+)-C([0-9]+)-([A-Z2-7]{7})\s*", re.IGNORECASE)


def write_code(number: int, cells: int) -> str:
    """The code of a deal 1 .. 2**33 - 1. Raises InvalidDeal for others, which have none."""
    if not 1 <= number <= LAST_DEAL:
        raise InvalidDeal(f"deal {number} has no code: codes are for 1..{LAST_DEAL}")
    digits = (number >> 5 * place & 31 for place in reversed(range(_LETTERS)))
    return f"FC1-C{cells}-{''.join(_ALPHABET[digit] for digit in digits)}"


def is_code(text: str) -> bool:
    """Does the text look like a code?"""
    return _CODE.fullmatch(text) is not None


def read_code(text: str) -> tuple[int, int]:
    """(number, cells) of a code; case does not matter. Raises InvalidDeal."""
    found = _CODE.fullmatch(text)
    if found is None:
        raise InvalidDeal(f"{text[:30]!r} is not a deal code such as FC1-C4-AAAAAKH")
    version, cells, letters = int(found[1]), int(found[2]), found[3].upper()
    number = 0
    for letter in letters:
        number = number << 5 | _ALPHABET.index(letter)
    if version != 1:
        raise InvalidDeal(f"{text.strip()} is of version {version}; only version 1 is known")
    if cells > MAX_CELLS:
        raise InvalidDeal(f"{text.strip()} has {cells} cells; there are 0 to {MAX_CELLS}")
    if not 1 <= number <= LAST_DEAL:
        raise InvalidDeal(f"{text.strip()} is deal {number}; deals are 1..{LAST_DEAL}")
    return number, cells
