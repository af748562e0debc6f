"""Makes src/fcfast/nets/freecell.net: the whole recipe, with every seed.

    python bench/train/build.py [--folder FOLDER]

Three rounds. In each a beam guided by the last net (at first one made by hand) solves deals, and a
new net learns from the solutions which child to take. Then the rows for macros are added, and all
is rounded to 16 bits. A quarter of an hour of one core; what is finished in the folder is not done
again.

Held out, never trained or tuned on: every deal up to 1,000,000, and so 1..32000, 500001..532000
and 300001..300400. train.c refuses them.

Two runs gave the same file, with the SHA-256

    a1ac7cf4f84b2cf335c364106ea9e6cef2fb092f5a61ce1b9e551046afcf0265

and trainer.py has the compiler's flags that make the sums the same on every processor with AVX2.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from trainer import NETS, Trainer

from fcfast import weights

NET = NETS / "freecell.net"
SEED = 1
WIDTH = 128

# Per round: deals from, how many, from which rounds the net learns, epochs.
ROUNDS = (
    (2_000_001, 10_000, (0,), 6),
    (2_100_001, 40_000, (1,), 5),
    (3_000_001, 160_000, (1, 2), 5),
)
TRIGGER_DEALS = (2_500_001, 20_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("build/train"))
    train = Trainer(parser.parse_args().folder)

    net = train("seed", "seed.net")
    solutions: list[Path] = []
    for index, (first, count, taken, epochs) in enumerate(ROUNDS):
        solutions.append(train("solve", f"{index}.moves", net, WIDTH, first, count))
        data = train.joined(f"{index}.data", [solutions[part] for part in taken])
        net = train("fit", f"{index}.net", data, epochs, SEED)
    net = train("triggers", "triggers.net", net, *TRIGGER_DEALS, SEED)
    body = train("quantise", "body", net).read_bytes()
    NET.write_bytes(weights.pack(body))
    print(f"{NET}: {len(body)} bytes of weights")


if __name__ == "__main__":
    main()
