"""The engine's bulk entry: numbered deals, dealt, solved and replayed without Python between."""

from array import array

import pytest

from fcfast import rules
from fcfast.deals import deal
from fcfast.native import engine

SPANS = [617, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1]


def tables(variant):
    return rules.tables(variant, variant.columns, variant.cells)


def layout(variant):
    return {"dealt_to_cells": variant.dealt_to_cells, "beak": variant.beak}


class Stop:
    """Says stop from the n-th question on."""

    def __init__(self, questions):
        self.questions = questions

    def is_set(self):
        self.questions -= 1
        return self.questions <= 0


@pytest.mark.parametrize("variant", rules.PRESETS.values(), ids=rules.PRESETS)
def test_every_row_equals_the_deal_solved_alone(variant):
    numbers = [*range(1, 6), *SPANS]
    solver = engine.Solver(tables(variant), 2**26)
    columns = solver.solve_deals(
        array("Q", numbers), node_limit=2000, with_steps=True, **layout(variant)
    )
    begin = 0
    for row, number in enumerate(numbers):
        status, limit, steps, moves, singles, nodes, *_ = solver.solve(
            deal(number, variant).pack(), node_limit=2000
        )
        end = begin + columns["lengths"][row]
        assert columns["steps"][begin:end] == steps
        assert columns["status"][row] == status
        assert engine.LIMITS.get(columns["limit"][row]) == limit
        assert (columns["moves"][row], columns["singles"][row]) == (moves, singles)
        assert columns["nodes"][row] == nodes
        begin = end


def test_limits_are_for_each_deal():
    solver = engine.Solver(tables(rules.FREECELL), 2**26)
    columns = solver.solve_deals(array("Q", range(1, 9)), node_limit=2)
    assert list(columns["nodes"]) == [2] * 8
    assert list(columns["status"]) == [engine.STOPPED] * 8


def test_cancelled_it_returns_what_was_finished():
    solver = engine.Solver(tables(rules.FREECELL), 2**26)
    columns = solver.solve_deals(array("Q", range(1, 100_000)), cancel=Stop(3), with_steps=True)
    rows = len(columns["status"])
    assert 0 < rows < 99_999
    assert {len(columns[name]) for name in engine.COLUMNS} == {rows}
    assert sum(columns["lengths"]) == len(columns["steps"])


def test_what_cancel_raises_is_raised():
    solver = engine.Solver(tables(rules.FREECELL), 2**26)
    with pytest.raises(AttributeError):
        solver.solve_deals(array("Q", range(1, 100_000)), cancel=object())


def test_boards_in_bulk():
    """Boards end to end get the rows that their numbers get."""
    solver = engine.Solver(tables(rules.PENGUIN), 2**26)
    options = {"node_limit": 2000, "with_steps": True}
    numbers = solver.solve_deals(array("Q", range(1, 6)), **layout(rules.PENGUIN), **options)
    packed = [deal(number, rules.PENGUIN).pack() for number in range(1, 6)]
    boards = solver.solve_boards(
        b"".join(board.ljust(engine.BOARD_BYTES) for board in packed), **options
    )
    del numbers["microseconds"], boards["microseconds"]
    assert numbers == boards


def test_no_deals_no_rows():
    columns = engine.Solver(tables(rules.FREECELL), 2**26).solve_deals(array("Q"), with_steps=True)
    assert all(len(column) == 0 for column in columns.values())
