"""What a bare `import fcfast` brings, and what it leaves alone."""

import subprocess
import sys
from pathlib import Path

import fcfast

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
