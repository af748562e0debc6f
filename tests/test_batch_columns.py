"""Columns: rows below each other, and the same buffers as NumPy, Arrow and pandas see them.
Summary: adds up in any order, and notices rows that are not its own."""

import dataclasses
import json
from array import array

import pytest
from batches import some_columns

from fcfast.batch import Columns, Summary


@pytest.fixture(params=[False, True], ids=["plain", "steps"])
def columns(request):
    return some_columns(request.param)


def test_rows(columns):
    rows = list(columns.rows())
    assert rows[0][:7] == (5, "solved", "", 31, 90, 200, 20)
    assert rows[1][:7] == (6, "impossible", "", 0, 0, 7, 1)
    assert rows[4][:7] == (2**33 - 1, "limit", "time", 0, 0, 2**40, 2**41)
    if columns.steps:
        assert [row[7] for row in rows] == [b"\0\1\2\3\4\5", b"", b"", b"\6\7\10", b""]


def test_joined(columns):
    whole = Columns.joined([columns, columns, Columns(), columns])
    assert list(whole.rows()) == 3 * list(columns.rows())
    assert len(columns) == 5  # what was joined is as it was


def test_only_the_unsolved(columns):
    assert list(columns.unsolved().rows()) == [list(columns.rows())[row][:7] for row in (1, 2, 4)]
    assert len(Columns().unsolved()) == 0


@pytest.mark.parametrize("name", ["deal", "status", "limit", "moves", "singles", "nodes"])
def test_digest_and_equality_see_every_column(columns, name):
    other = some_columns(columns.steps is not None)
    assert (other.digest(), other) == (columns.digest(), columns)
    getattr(other, name)[3] += 1
    assert other.digest() != columns.digest()
    assert other != columns


def test_digest_sees_steps_and_not_time():
    columns, other = some_columns(True), some_columns(True)
    other.microseconds[0] = 99
    assert (other.digest(), other) == (columns.digest(), columns)
    other.steps = bytes(9)
    assert other.digest() != columns.digest()


def test_numpy_looks_at_the_same_memory(columns):
    pytest.importorskip("numpy")
    arrays = columns.to_numpy()
    assert arrays["deal"].tolist() == columns.deal.tolist()
    assert arrays["status"].tolist() == [0, 1, 2, 0, 2]
    columns.nodes[2] = 12345
    assert arrays["nodes"][2] == 12345
    if columns.steps:
        assert arrays["offsets"].tolist() == [0, 6, 6, 6, 9, 9]
        assert arrays["steps"].tobytes() == columns.steps


def test_arrow_looks_at_the_same_memory(columns):
    pytest.importorskip("pyarrow")
    table = columns.to_arrow()
    assert table["status"].to_pylist() == ["solved", "impossible", "limit", "solved", "limit"]
    assert table["limit"].to_pylist() == ["", "", "nodes", "", "time"]
    columns.nodes[2] = 12345
    assert table["nodes"].to_pylist() == [200, 7, 12345, 150, 2**40]
    assert table["nodes"].chunk(0).buffers()[1].address == columns.nodes.buffer_info()[0]
    assert table["status"].chunk(0).indices.buffers()[1].address == columns.status.buffer_info()[0]
    if columns.steps:
        assert table["steps"].to_pylist()[:2] == [b"\0\1\2\3\4\5", b""]


def test_pandas(columns):
    pytest.importorskip("pandas")
    frame = columns.to_pandas()
    assert list(frame["status"]) == ["solved", "impossible", "limit", "solved", "limit"]
    assert list(frame.query("status == 'limit'")["deal"]) == [7, 2**33 - 1]
    assert frame["moves"].sum() == 62


def test_no_rows():
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    assert Columns().to_arrow().num_rows == 0
    assert len(Columns().to_pandas()) == 0
    assert Summary.of(Columns()) == Summary()


def test_summary():
    summary = Summary.of(some_columns())
    assert (summary.deals, summary.solved, summary.impossible) == (5, 2, 1)
    assert summary.limits == {"nodes": 1, "time": 1}
    assert summary.moves == {31: 2}
    assert summary.nodes == 2**40 + 657
    assert summary.microseconds == 2**41 + 76
    assert summary.hardest[:2] == [(2**40, 2**33 - 1), (300, 7)]
    assert summary.unsolved == {"impossible": [6], "nodes": [7], "time": [2**33 - 1]}


def test_summaries_add_up():
    columns = some_columns()
    rows = list(columns.rows())
    for order in ((0, 1, 2, 3, 4), (4, 2, 0, 3, 1)):
        total = Summary()
        for row in order:
            part = Columns(
                **{
                    field: array(getattr(columns, field).typecode, [getattr(columns, field)[row]])
                    for field in list(Columns.__dataclass_fields__)[:7]
                }
            )
            assert list(part.rows()) == [rows[row]]
            total += Summary.of(part)
        assert total == Summary.of(columns)


def test_lists_are_bounded():
    deals = array("Q", range(1, 3001))
    many = Columns(
        deals,
        status=array("B", b"\1" * 3000),
        limit=array("B", bytes(3000)),
        moves=array("I", bytes(12000)),
        singles=array("I", bytes(12000)),
        nodes=deals,
        microseconds=deals,
    )
    total = Summary.of(many)
    total += Summary.of(many)
    assert total.impossible == 6000
    assert total.unsolved["impossible"] == sorted(2 * list(range(1, 501)))
    assert len(total.hardest) == 10


def test_summary_through_json():
    summary = Summary.of(some_columns())
    assert Summary.from_dict(json.loads(json.dumps(summary.to_dict()))) == summary


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Summary)])
def test_a_wrong_summary_is_noticed(field):
    columns = some_columns()
    summary = Summary.of(columns)
    assert summary.fits(columns, only_unsolved=False)
    assert summary.fits(columns.unsolved(), only_unsolved=True)
    value = getattr(summary, field)
    setattr(summary, field, value + 1 if isinstance(value, int) else type(value)())
    assert not summary.fits(columns, only_unsolved=False)
    if field in ("solved", "impossible", "limits", "unsolved"):
        assert not summary.fits(columns.unsolved(), only_unsolved=True)
