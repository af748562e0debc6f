"""Hints and verdicts at full size: what tests/test_guide.py samples. Takes about two minutes.

Usage: python bench/bench_hints.py
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from positions import random_board
from test_guide import can_be_won, endgame, follow

from fcfast.play.game import Game
from fcfast.play.guide import Guide


def main() -> None:
    start = time.perf_counter()
    won = 0
    for number in range(1, 301):
        follow(Game(number, "web"), Guide())
        won += 1
    print(f"deals 1..300: {won} won by their hints")
    won = seed = 0
    while won < 200:
        game, guide = (
            Game(random_board(seed=seed, moves=seed % 30), ("tap", "web")[seed % 2]),
            Guide(),
        )
        if guide.advise(game, 60).verdict == "winnable":
            follow(game, guide)
            won += 1
        seed += 1
    print(f"random positions: {won} winnable ones of {seed} won by their hints")
    for cells in (1, 2):
        told = {"winnable": 0, "lost": 0}
        for seed in range(500):
            board = endgame(seed, cells)
            verdict = Guide().advise(Game(board, "tap"), 1).verdict
            assert verdict == ("winnable" if can_be_won(board) else "lost"), board
            told[verdict] += 1
        print(f"{cells} cells: 500 verdicts agree with an exhaustive search: {told}")
    print(f"{time.perf_counter() - start:.0f} seconds")


if __name__ == "__main__":
    main()
