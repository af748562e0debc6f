"""The machine and the software that a race ran on: what a reader must know, and no paths."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from fcfast._version import __version__
from fcfast.native import engine


def describe() -> dict[str, Any]:
    """CPU, cores, memory, OS, Python, compiler flags, fcfast and its commit, and the load."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(_memory() / 2**30, 1),
        "os": _os(),
        "kernel": platform.release(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": f"{engine.COMPILER} for {engine.__name__.rpartition('.')[2]}",
        "flags": _flags(),
        "fcfast": __version__,
        "commit": _commit(),
        "load": round(os.getloadavg()[0], 2),
    }


def _cpu() -> str:
    names = re.findall(r"^(?:model name|Model)\s*: (.*)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return names[0] if names else platform.machine()


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _os() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()


def _flags() -> str:
    """Those that the engine was compiled with: Python's own for extensions, then what it knows of
    itself; none with paths."""
    flags = [*str(sysconfig.get_config_var("CFLAGS") or "").split(), *engine.FLAGS.split()]
    return " ".join(flag for flag in flags if "/" not in flag)


def _commit() -> str | None:
    """The commit of the sources that run, with + if they have changes; None if installed."""
    folder = Path(__file__).parent
    git = ["git", "-C", str(folder), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        tracked = subprocess.run(
            [*git[:3], "ls-files", "--error-unmatch", __file__], capture_output=True, check=False
        )
        done = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() or None if tracked.returncode == 0 else None


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
