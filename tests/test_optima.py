"""The table of proved optima: every solution in it is legal and as long as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcfast import notation
from fcfast.deals import deal
from fcfast.solve import solve
from fcfast.verify import verify

pytestmark = pytest.mark.native

TABLE = Path(__file__).parents[1] / "bench" / "optimal" / "proved.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text(encoding="ascii").splitlines()[1:]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[:3]))
def test_row(row: list[str]) -> None:
    number, metric, autoplay, length, _, _, solution = row
    board = deal(int(number))
    style = "singles" if metric == "singles" else "standard"
    moves = notation.read(board, solution, autoplay=None if style == "singles" else autoplay).moves
    verify(board, moves)
    if metric == "singles":
        assert notation.count_singles(board, moves) == int(length)
    else:
        assert notation.count_moves(board, moves, autoplay) == int(length)
    short = solve(board, goal="short", metric=metric, autoplay=autoplay, node_limit=0)
    assert short.stats.lower_bound <= int(length)


def test_the_table_has_rows() -> None:
    assert ROWS
