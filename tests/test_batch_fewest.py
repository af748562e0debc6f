"""fewest_cells_range() and `fcfast range --fewest-cells`."""

import concurrent.futures
import json
from pathlib import Path

import pytest

from fcfast import FcfastError, InvalidDeal, cli
from fcfast.batch import fewest_cells_range
from fcfast.rules import preset

KNOWN = (Path(__file__).parent / "data" / "fewest_cells_1_8000.txt").read_text().replace("\n", "")
EXPECTED = [(deal, int(KNOWN[deal - 1])) for deal in range(1, 41)]
SMALL = 2**27  # enough for these deals; sanitizers take half a second to free the usual 2 GiB
COMMAND = ["range", "1", "40", "--fewest-cells", "--memory-limit", "128M"]


@pytest.mark.parametrize("workers", [1, 3])
def test_by_number_as_in_the_public_list(workers):
    assert list(fewest_cells_range(1, 40, workers=workers, memory_limit=SMALL)) == EXPECTED


def test_somebodys_executor():
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert list(fewest_cells_range(1, 40, executor=executor, memory_limit=SMALL)) == EXPECTED
    assert list(fewest_cells_range(1, 40, executor=map, memory_limit=SMALL)) == EXPECTED


def test_a_limit_is_no_answer():
    assert list(fewest_cells_range(1, 3, node_limit=10)) == [(1, None), (2, None), (3, None)]


def test_cells_in_use_from_the_start_are_needed():
    ((_, cells),) = fewest_cells_range(1, 1, variant=preset("eight_off"))
    assert cells is not None and cells >= 4


def test_wrong_arguments_raise_at_once():
    with pytest.raises(InvalidDeal):
        fewest_cells_range(0, 3)
    with pytest.raises(FcfastError):
        fewest_cells_range(1, 3, node_limit=-1)


def test_leaving_early_stops_the_rest():
    found = fewest_cells_range(1, 10**9, workers=2, memory_limit=SMALL)
    assert next(found) == EXPECTED[0]
    found.close()


def test_the_command(capsys):
    assert cli.main([*COMMAND, "--rows"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:40] == [f"{deal} {cells}" for deal, cells in EXPECTED]
    assert out[40:43] == ["", "Deals 1..40 (Microsoft)", "Variant: freecell"]
    counts = {cells: sum(cells == found for _, found in EXPECTED) for cells in (1, 2, 3)}
    assert out[44:47] == [
        f"1 cell: {counts[1]}",
        f"2 cells: {counts[2]}",
        f"3 cells: {counts[3]}",
    ]
    assert out[-1].endswith(" a second")


def test_the_command_in_json(capsys):
    assert cli.main([*COMMAND, "--rows", "--json"]) == 0
    *rows, total = map(json.loads, capsys.readouterr().out.splitlines())
    assert [(row["deal"], row["cells"]) for row in rows] == EXPECTED
    assert total["limit"] == [] and sum(total["fewest_cells"].values()) == 40


def test_the_command_at_a_limit(capsys):
    few = ["--node-limit", "10", "--memory-limit", "128M"]
    assert cli.main(["range", "1", "30", "--fewest-cells", *few]) == 3
    named = " ".join(map(str, range(1, 21)))
    assert f"Limit reached: {named} and 10 more\n" in capsys.readouterr().out


@pytest.mark.parametrize("more", [["--out", "x"], ["--only-unsolved"], ["--cells", "2"]])
def test_what_does_not_go_together(more, capsys):
    assert cli.main(["range", "1", "3", "--fewest-cells", *more]) == 2
    assert "--fewest-cells goes without" in capsys.readouterr().err
