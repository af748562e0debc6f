"""Makes src/fcfast/nets/short.net, the evaluation of the beams: the whole recipe, with every seed.

    python bench/train/short.py [--folder FOLDER] [--rounds ROUNDS]

Begins with the net of the fast search. In each round beams guided by the last net solve deals, and
the net learns on from all solutions so far, which get shorter from round to round. What is
finished in the folder is not done again. As in build.py every deal up to 1,000,000 is held out.
"""

from __future__ import annotations

import argparse
import struct
import subprocess
from pathlib import Path

from fcfast import rules, weights
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.native import engine
from fcfast.rules import FREECELL

HERE = Path(__file__).parent
NETS = HERE.parents[1] / "src" / "fcfast" / "nets"
SEED = 1
WIDTH = 1024
EPOCHS = 4
FIRST, ROUND = 5_000_001, 3_000  # deals from, a round
MOST_MOVES = 45
ALL = 3
HOME, ANY_CELL = 31, 31


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("build/short"))
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "train"
    compiler = ["gcc", "-O3", "-march=native", "-o", program, HERE / "train.c", "-lm"]
    subprocess.run(compiler, check=True)

    def train(command: str, out: str, *arguments: object) -> Path:
        path = folder / out
        if not path.exists():
            part = path.with_suffix(".part")
            subprocess.run([program, command, *map(str, arguments), part], check=True)
            part.rename(path)
        return path

    body = folder / "start.body"
    body.write_bytes(weights.unpack((NETS / "freecell.net").read_bytes()))
    net = train("thaw", "start.net", body)
    data = folder / "all.data"
    for number in range(options.rounds):
        moves = folder / f"{number}.moves"
        if not moves.exists():
            part = moves.with_suffix(".part")
            part.write_bytes(solved(body.read_bytes(), FIRST + number * ROUND))
            part.rename(moves)
        data.write_bytes(b"".join((folder / f"{n}.moves").read_bytes() for n in range(number + 1)))
        net = train("refit", f"{number}.net", net, data, EPOCHS, SEED + number)
        body = train("quantise", f"{number}.body", net)
    (NETS / "short.net").write_bytes(weights.pack(body.read_bytes()))


def solved(net: bytes, first: int) -> bytes:
    """The deals of a round as train.c reads them: number, length and moves."""
    tables = rules.tables(FREECELL, FREECELL.columns, FREECELL.cells)
    shortener = engine.Shortener(tables, 1 << 28, net)
    games, total = [], 0
    for number in range(first, first + ROUND):
        board = deal(number)
        steps, length, *_ = shortener.shorten(
            board.pack(), WIDTH, autoplay=ALL, best=MOST_MOVES + 1
        )
        if steps:
            moves = renamed(board, steps)
            games.append(struct.pack("<IB", number, length) + moves)
            total += length
    average = total / len(games)
    print(f"width {WIDTH}: {len(games)} of {ROUND} solved, {average:.3f} moves", flush=True)
    return b"".join(games)


def renamed(board: Board, steps: bytes) -> bytes:
    """A solution in the columns and cells of train.c, which takes the last empty column."""
    theirs = [list(column) for column in board.columns]
    ours = [list(column) for column in board.columns]
    cells: dict[int, int] = {}
    their_cells: list[int | None] = [None] * len(board.cells)
    moves = bytearray()
    for source, target, count in zip(steps[::3], steps[1::3], steps[2::3], strict=True):
        if source in cells:
            run = [cells.pop(source)]
            column = their_cells.index(run[0])
            their_cells[column] = None
            column += 16
        else:
            run = ours[source][-count:]
            del ours[source][-count:]
            column = next(index for index in range(len(theirs)) if run[0] in theirs[index])
            del theirs[column][-count:]
        if target == HOME:
            continue  # by itself
        if target < 16:
            ours[target] += run
            if len(ours[target]) > count:
                onto = ours[target][-count - 1]
                place = next(i for i in range(len(theirs)) if theirs[i] and theirs[i][-1] == onto)
            else:
                place = max(i for i in range(len(theirs)) if not theirs[i] and i != column)
            theirs[place] += run
        else:
            cells[target] = run[0]
            their_cells[their_cells.index(None)] = run[0]
            place = ANY_CELL
        moves += bytes((column, place, count))
    return bytes(moves)


if __name__ == "__main__":
    main()
