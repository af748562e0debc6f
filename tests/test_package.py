"""What a bare `import fcfast` brings, what it leaves alone, and what its functions refuse."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

import fcfast
from fcfast import FcfastError

HEAVY = {
    "argparse",
    "asyncio",
    "concurrent.futures",
    "ctypes",
    "dask",
    "email",
    "logging",
    "matplotlib",
    "multiprocessing",
    "numpy",
    "pandas",
    "platformdirs",
    "pyarrow",
    "rich",
    "shtab",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "unittest",
}


def test_import_brings_nothing_heavy():
    """Under 50 ms: bench/bench_import.py measures it, this says what would spoil it."""
    program = "import fcfast, sys; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "fcfast.native.engine" in loaded
    assert not loaded & HEAVY
    assert sum(not name.startswith("fcfast") for name in loaded) < 100


def test_all_public_names_exist():
    for name in fcfast.__all__:
        assert getattr(fcfast, name) is not None
    assert len(set(fcfast.__all__)) == len(fcfast.__all__)


def test_solve_and_verify_are_functions_though_modules_share_their_names():
    import fcfast.solve
    import fcfast.verify

    assert callable(fcfast.solve)
    assert callable(fcfast.verify)


def test_typed():
    folder = Path(fcfast.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "native" / "engine.pyi").exists()


def test_a_variant_may_be_named(tmp_path):
    """Wherever the public functions take one, the name of a preset will do."""
    named, meant = {"variant": "eight-off"}, {"variant": fcfast.EIGHT_OFF}
    board = fcfast.deal(617, **named)
    assert board == fcfast.deal(617, **meant)
    assert fcfast.Board.parse(str(board), **named) == board
    moves = board.legal_moves(**named)
    assert moves == board.legal_moves(**meant) != board.legal_moves()
    assert board.apply(moves[0], **named) == board.apply(moves[0], **meant)

    results = [
        fcfast.solve(617, **named),
        fcfast.prove(617, certificate=tmp_path / "proof", **named),
        *fcfast.solve_many([617], **named),
    ]
    for result in results:
        assert (result.status, result.variant) == (fcfast.Status.SOLVED, fcfast.EIGHT_OFF)
        fcfast.verify(617, result.moves, **named)
    assert fcfast.check_certificate(tmp_path / "proof", 617, **named).moves
    assert fcfast.fewest_cells(617, **named) == fcfast.fewest_cells(617, **meant)
    assert fcfast.solve_range(617, 618, **named) == fcfast.solve_range(617, 618, **meant)


WRONG = (
    *({"variant": wrong} for wrong in ("zen", "", None, 5)),
    *({"cells": wrong} for wrong in ("4", 11, -1, 4.0, 10**5000)),
    *(
        {limit: wrong}
        for limit in ("node_limit", "time_limit", "memory_limit")
        for wrong in ("5", -1, math.nan, [], -(10**5000))
    ),
    {"time_limit": 10**400},
    *({"memory_limit": wrong} for wrong in (0, 2**16 - 1, 2**63, math.inf)),
)


@pytest.mark.parametrize("options", WRONG, ids=lambda options: str([*options]))
def test_wrong_options_are_named(options):
    """By an error of the family, whichever function gets them; nothing is started."""
    for function in (fcfast.solve, fcfast.prove):
        with pytest.raises(FcfastError, match=named(options)):
            function(617, **options)
    for function in (fcfast.solve_many, lambda deals, **more: fcfast.solve_range(1, 2, **more)):
        with pytest.raises(FcfastError, match=named(options)):
            function([617], **options)


def named(options):
    (name,) = options
    return f"{name}|bytes of memory|nor the name of one"


@pytest.mark.parametrize("wrong", [0, -1, "2", 1.5, math.nan, 10**9])
def test_wrong_numbers_of_threads_are_named(wrong):
    for function in (fcfast.prove, fcfast.solve_many, fcfast.find_deal):
        deals = {fcfast.solve_many: [5], fcfast.find_deal: fcfast.deal(5)}.get(function, 5)
        with pytest.raises(FcfastError, match="workers must be"):
            function(deals, workers=wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fcfast.solve(1, cancel=5),
        lambda: fcfast.solve(1, progress=5),
        lambda: fcfast.solve_range(1, 2, progress=5),
        lambda: fcfast.solve_range(1, 2, chunk="5"),
        lambda: fcfast.solve_range(1, 2, out=""),
        lambda: fcfast.solve_many(617),
        lambda: fcfast.find_deal(617),
        lambda: fcfast.supermove_limit("4", 1),
        lambda: fcfast.Game(617, house_rules=5),
        lambda: fcfast.Board(5),
        lambda: fcfast.deal(1).with_cells("4"),
        lambda: fcfast.deal(1).to_text("xml"),
        lambda: fcfast.solve(1).notation("long"),
    ],
)
def test_wrong_values_are_named(call):
    with pytest.raises(FcfastError):
        call()
