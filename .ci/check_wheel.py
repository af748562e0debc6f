"""Refuses a wheel that lacks a file or brings along what users have no use for.

Usage: python check_wheel.py WHEEL
"""

import sys
import zipfile
from pathlib import PurePosixPath

NEEDED = {
    "fcfast/__main__.py",
    "fcfast/cli/__init__.py",
    "fcfast/native/engine.pyi",
    "fcfast/nets/freecell.net",
    "fcfast/nets/short.net",
    "fcfast/page.html",
    "fcfast/py.typed",
}
ALLOWED = {".py", ".pyi", ".typed", ".html", ".net", ".so", ".pyd"}

with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
faults = [f"missing: {name}" for name in sorted(NEEDED - names)]
if not any(name.startswith("fcfast/native/engine.") for name in names - NEEDED):
    faults.append("missing: the compiled module")
for name in sorted(names):
    path = PurePosixPath(name)
    suffix = path.suffix or path.name
    if path.parts[0] != "fcfast" or suffix not in ALLOWED:
        faults.append(f"not wanted: {name}")
print("\n".join(faults) or f"{len(names)} files, all wanted")
sys.exit(bool(faults))
