"""A solver that lies, and worse: its argument says how. It does not read the board it gets."""

import os
import sys
import time

MIB = 2**20


def busy() -> None:
    while True:
        pass


def hoard() -> None:
    kept = []
    while True:
        kept.append(bytearray(MIB))
        kept[-1][::4096] = b"x" * 256


def in_children(what, count: int) -> None:
    for _ in range(count):
        if os.fork() == 0:
            what()
    time.sleep(600)


def orphan() -> None:
    """A grandchild that has left family and session, and keeps the pipe open."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            busy()
        os._exit(0)
    os.wait()
    time.sleep(600)


WAYS = {
    "illegal": lambda: print("Solved: 1h 1h 1h"),
    "short": lambda: print("Solved: 1a"),
    "nonsense": lambda: print("Solved: who knows"),
    "silent": lambda: print("Solved: "),
    "hopeless": lambda: print("Impossible"),
    "winning": lambda: print("Won"),
    "hang": lambda: time.sleep(600),
    "crash": lambda: os.abort(),
    "exit": lambda: sys.exit("out of ideas"),
    "gibberish": lambda: print("\x00\xff?"),
    "flood": lambda: [print("x" * MIB) for _ in iter(int, 1)],
    "flood-errors": lambda: [print("x" * MIB, file=sys.stderr) for _ in iter(int, 1)],
    "hog": hoard,
    "hogs": lambda: in_children(hoard, 3),
    "busy": busy,
    "busy-children": lambda: in_children(busy, 2),
    "orphan": orphan,
}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
