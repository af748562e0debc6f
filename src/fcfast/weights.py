"""The weights of the learned evaluation: which file for which rules, read and checked.

A file is a header of 48 bytes and the body that native/net.pxd draws. The header: eight bytes of
magic, the version and the layout (lanes, what a card can lie on) as little-endian uint16, two bytes
of zero, and the SHA-256 of the body. bench/train/ makes them.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Literal

from fcfast.errors import InvalidWeights

if TYPE_CHECKING:
    from fcfast.rules import Variant

MAGIC = b"fcfast\x00N"
VERSION = 1
LANES, PLACES = 16, 54
BODY_BYTES = 158_036
_FIXED = MAGIC + b"".join(n.to_bytes(2, "little") for n in (VERSION, LANES, PLACES, 0))
_HEADER = len(_FIXED) + 32


def pack(body: bytes) -> bytes:
    """A file with this body."""
    return _FIXED + _digest(body) + body


def unpack(data: bytes) -> bytes:
    """The body of a file. Raises InvalidWeights where it is damaged or not one of ours."""
    if data[:8] != MAGIC:
        raise InvalidWeights("not a file of weights: it begins with other bytes")
    if len(data) < _HEADER:
        raise InvalidWeights(f"cut short: {len(data)} bytes")
    version, lanes, places = (int.from_bytes(data[at : at + 2], "little") for at in (8, 10, 12))
    if version != VERSION:
        raise InvalidWeights(f"weights of version {version}; this is for {VERSION}")
    if (lanes, places) != (LANES, PLACES):
        raise InvalidWeights(f"weights laid out {lanes} x {places}, not {LANES} x {PLACES}")
    digest, body = data[len(_FIXED) : _HEADER], data[_HEADER:]
    if len(body) != BODY_BYTES:
        raise InvalidWeights(f"damaged: {len(body)} bytes of weights, not {BODY_BYTES}")
    if _digest(body) != digest:
        raise InvalidWeights("damaged: the digest is another")
    return body


def _digest(body: bytes) -> bytes:
    import hashlib  # here, since `import fcfast` would be 7 ms slower for it

    return hashlib.sha256(body).digest()


def weights_for(variant: Variant, search: Literal["fast", "short"] = "fast") -> bytes | None:
    """What engine.Solver or Shortener takes as its net; None where one made from the rules does."""
    if sys.byteorder != "little" or variant.build != "alternate":
        return None
    return _read("freecell" if search == "fast" else "short")


@functools.cache
def _read(name: str) -> bytes:
    from pathlib import Path  # 5 ms of an import that should be quick

    return unpack((Path(__file__).parent / "nets" / f"{name}.net").read_bytes())
