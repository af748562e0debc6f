"""Files of evaluation weights: the ones that ship are read, damaged and foreign ones refused."""

import struct
from importlib import resources

import pytest

from fcfast import rules, weights
from fcfast.errors import FcfastError, InvalidWeights
from fcfast.native import engine

SHIPPED = sorted((resources.files("fcfast") / "nets").iterdir(), key=str)
DATA = SHIPPED[0].read_bytes()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_ships_is_whole_and_packs_to_itself(path):
    data = path.read_bytes()
    assert weights.pack(weights.unpack(data)) == data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "begins with other bytes"),
        (b"PK\x03\x04" + DATA[4:], "begins with other bytes"),
        (DATA[:20], "cut short"),
        (DATA[:-1], "damaged"),
        (DATA + b"\0", "damaged"),
        (DATA[:8] + struct.pack("<H", 9) + DATA[10:], "version 9"),
        (DATA[:10] + struct.pack("<H", 32) + DATA[12:], "laid out 32"),
        (DATA[:1000] + bytes([DATA[1000] ^ 1]) + DATA[1001:], "digest"),
        (DATA[:20] + bytes([DATA[20] ^ 1]) + DATA[21:], "digest"),
    ],
)
def test_others_are_refused_with_the_reason(data, reason):
    with pytest.raises(InvalidWeights, match=reason) as caught:
        weights.unpack(data)
    assert isinstance(caught.value, FcfastError)


def test_the_engine_takes_a_whole_body_only():
    tables = rules.tables(rules.FREECELL, 8, 4)
    with pytest.raises(ValueError, match="a net holds"):
        engine.Solver(tables, 1 << 28, b"short")
