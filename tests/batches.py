"""What the tests of bulk solving share. Deals get 40 nodes, enough for some and not for others."""

from array import array

from fcfast.batch import Columns

LIMIT = {"node_limit": 40}
HARD = 472883268  # impossible: 45,250,363 positions, over five million with fours alike


def some_columns(steps: bool = False) -> Columns:
    """Five rows of every kind, made up."""
    columns = Columns(
        deal=array("Q", [5, 6, 7, 8, 2**33 - 1]),
        status=array("B", [0, 1, 2, 0, 2]),
        limit=array("B", [0, 0, 1, 0, 2]),
        moves=array("I", [31, 0, 0, 31, 0]),
        singles=array("I", [90, 0, 0, 101, 0]),
        nodes=array("Q", [200, 7, 300, 150, 2**40]),
        microseconds=array("Q", [20, 1, 40, 15, 2**41]),
    )
    if steps:
        columns.lengths = array("I", [6, 0, 0, 3, 0])
        columns.steps = bytes(range(9))
    return columns
