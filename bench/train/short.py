"""Makes src/fcfast/nets/short.net, the evaluation of the beams: the whole recipe, with every seed.

    python bench/train/short.py [--folder FOLDER]

Begins with the net of the fast search. Beams guided by the last net solve deals; the net learns on
from the solutions, first which child of a position to take, then where on its level of a beam a
position should rank. What is finished in the folder is not done again. As in build.py every deal
up to 1,000,000 is held out.
"""

from __future__ import annotations

import argparse
import struct
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from trainer import NETS, Trainer

from fcfast import rules, weights
from fcfast.board import Board
from fcfast.deals import deal
from fcfast.native import engine
from fcfast.rules import FREECELL

SEED = 1
MOST_MOVES = 45
CHUNK = 500  # deals solved by one process at a time
ALL = 3
HOME, ANY_CELL = 31, 31


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("build/short"))
    train = Trainer(parser.parse_args().folder)

    def solutions(name: str, net: Path, width: int, first: int, count: int) -> Path:
        path = train.folder / name
        if not path.exists():
            body = train("quantise", f"{net.stem}.body", net).read_bytes()
            part = path.with_suffix(".part")
            part.write_bytes(solved(body, width, range(first, first + count)))
            part.rename(path)
        return path

    body = train.folder / "start.body"
    body.write_bytes(weights.unpack((NETS / "freecell.net").read_bytes()))
    start = train("thaw", "start.net", body)

    wide = solutions("wide.moves", start, 1024, 5_000_001, 3_000)
    first = train("refit", "first.net", start, wide, 4, 0.0015, SEED)
    few = solutions("few.moves", first, 384, 5_000_001, 12_500)
    second = train("rank", "second.net", first, few, 16, 0.002, SEED)
    many = solutions("many.moves", second, 512, 5_100_001, 60_000)

    both = train.joined("both.moves", [many, few])
    third = train("refit", "third.net", first, both, 3, 0.002, SEED)
    fourth = train("refit", "fourth.net", third, both, 15, 0.004, SEED)
    fifth = train("rank", "fifth.net", fourth, many, 32, 0.002, SEED)
    body = train("quantise", "fifth.body", fifth)
    (NETS / "short.net").write_bytes(weights.pack(body.read_bytes()))


def solved(net: bytes, width: int, numbers: range) -> bytes:
    """What a beam solves of these deals, as train.c reads it: number, length and moves."""
    with ProcessPoolExecutor(2) as pool:
        parts = [numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)]
        games = [game for part in pool.map(partial(games_of, net, width), parts) for game in part]
    average = sum(game[4] for game in games) / len(games)
    print(f"width {width}: {len(games)} of {len(numbers)} solved, {average:.3f} moves", flush=True)
    return b"".join(games)


def games_of(net: bytes, width: int, numbers: range) -> list[bytes]:
    """The same of some of the deals."""
    tables = rules.tables(FREECELL, FREECELL.columns, FREECELL.cells)
    shortener = engine.Shortener(tables, 1 << 28, net)
    games = []
    for number in numbers:
        board = deal(number)
        steps, length, *_ = shortener.shorten(
            board.pack(), width, autoplay=ALL, best=MOST_MOVES + 1
        )
        if steps:
            games.append(struct.pack("<IB", number, length) + renamed(board, steps))
    return games


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
