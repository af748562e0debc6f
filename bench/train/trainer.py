"""train.c compiled into a folder, and what it has made there."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
NETS = HERE.parents[1] / "src" / "fcfast" / "nets"
# The same sums on every processor: no newer vectors, and no product joined with an addition, which
# rounds once instead of twice.
FLAGS = ["-O3", "-march=x86-64-v3", "-ffp-contract=off"]


class Trainer:
    """Calls train.c; what is finished in its folder is not made again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.program = folder / "train"
        compiler = ["gcc", *FLAGS, "-o", self.program, HERE / "train.c", "-lm"]
        subprocess.run(compiler, check=True)

    def __call__(self, command: str, out: str, *arguments: object) -> Path:
        """The file `out` of the folder, made by a command of train.c."""
        path = self.folder / out
        if not path.exists():
            part = path.with_suffix(".part")
            subprocess.run([self.program, command, *map(str, arguments), part], check=True)
            part.rename(path)
        return path

    def solved(self, out: str, net: Path, width: int, deals: Iterable[int]) -> Path:
        """Solutions of these deals by a beam, as `out` of the folder; half of them on each core."""
        path = self.folder / out
        if path.exists():
            return path
        numbers = list(deals)
        halves = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]

        def solve(index: int) -> Path:
            chosen = self.folder / f"{index}-{path.stem}.deals"
            chosen.write_text("\n".join(map(str, halves[index])))
            return self("solve", f"{index}-{out}", net, width, chosen)

        with ThreadPoolExecutor() as pool:
            parts = list(pool.map(solve, range(2)))
        return self.joined(out, parts)

    def joined(self, out: str, parts: list[Path]) -> Path:
        """These files end to end, as `out` of the folder."""
        path = self.folder / out
        whole = path.with_suffix(".part")
        whole.write_bytes(b"".join(part.read_bytes() for part in parts))
        whole.rename(path)
        return path
