"""Makes src/fcfast/nets/freecell.net from nothing: the whole recipe, with every seed.

    python bench/train/build.py [--folder FOLDER]

Round by round a beam guided by the last net solves deals, and the next net learns from the
solutions; in the last round also from those of deals that are hard for the fast search with the net
before. Then the rows for macros are fitted with everything else held fixed. Two cores, half an
hour; what is finished in the folder is not done again.

Held out, never trained or tuned on: every deal up to 1,000,000, and so 1..32000, 500001..532000
and 300001..300400. train.c refuses them.

The net has the SHA-256

    c4a926da39734d0e2429e7bfb53b8ed8a17a4ccc53b86458d7ab1879c8f3d9c9

and trainer.py has the compiler's flags that make the sums the same on every processor with AVX2.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Iterator
from pathlib import Path

from trainer import NETS, Trainer

from fcfast import rules, weights
from fcfast.native import engine
from fcfast.rules import FREECELL

NET = NETS / "freecell.net"
SEED = 1
WIDTH, HARD_WIDTH = 128, 256

# Per round: deals from, how many, from which rounds the net learns, epochs.
ROUNDS = (
    (2_000_001, 10_000, (0,), 6),
    (2_100_001, 40_000, (1,), 5),
    (3_000_001, 160_000, (1, 2), 5),
)
# The last round's: deals from, how many, and expansions that do not solve those that it takes.
HARD = ((4_000_001, 640_000, 80), (4_640_001, 1_260_000, 320))
LAST_EPOCHS = 16
TRIGGER_DEALS = (2_500_001, 20_000)
CHUNK = 20_000  # deals solved in one call
# As fast.pxd begins: quota, run macros, all home, weight, drop, exchange, choosy.
FIRST_SEARCH = (320, 2, 3, 16, 48, 0, True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("build/train"))
    train = Trainer(parser.parse_args().folder)

    def finished(name: str, net: Path) -> bytes:
        net = train("triggers", f"{name}-triggers.net", net, *TRIGGER_DEALS, SEED)
        return train("quantise", f"{name}.body", net).read_bytes()

    net = train("seed", "seed.net")
    solutions: list[Path] = []
    for index, (first, count, taken, epochs) in enumerate(ROUNDS):
        deals = range(first, first + count)
        solutions.append(train.solved(f"{index}.moves", net, WIDTH, deals))
        data = train.joined(f"{index}.data", [solutions[part] for part in taken])
        net = train("fit", f"{index}.net", data, epochs, SEED)

    body = finished("before", net)
    for first, count, most in HARD:
        deals = hard(body, range(first, first + count), most)
        solutions.append(train.solved(f"hard{most}.moves", net, HARD_WIDTH, deals))
    data = train.joined("last.data", solutions[1:])
    body = finished("last", train("fit", "last.net", data, LAST_EPOCHS, SEED))
    NET.write_bytes(weights.pack(body))
    print(f"{NET}: {len(body)} bytes of weights")


def hard(net: bytes, deals: range, most: int) -> Iterator[int]:
    """Those of the deals that so many expansions do not solve."""
    tables = rules.tables(FREECELL, FREECELL.columns, FREECELL.cells)
    solver = engine.Solver(tables, 1 << 30, net)
    solver.set_stages([FIRST_SEARCH])
    for start in range(0, len(deals), CHUNK):
        chunk = array("Q", deals[start : start + CHUNK])
        columns = solver.solve_deals(chunk, node_limit=most)
        for number, status in zip(chunk, columns["status"], strict=True):
            if status == engine.STOPPED:
                yield number


if __name__ == "__main__":
    main()
