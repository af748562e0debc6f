"""Which searches the fast search is made of, in what order, with what quotas: for fast.pxd.

    python bench/train/stages.py

Some seventy searches are each tried alone on hard deals. Simulated annealing then puts some in a
row, each for what the ones before leave and the complete search for the rest, so that all deals
together take the least time. A half of the deals is kept aside, and what they take is printed, too;
the last result, from all of them, is what fast.pxd has. Five minutes of an idle core; since times
are measured, not quite the same comes out each time.

Of deals 8000001..8048000 those count that the first search does not solve by 80 expansions. Of
7000001..7480000 those that two searches leave, with a tenth of the weight, stand for such deals, of
which the first range has too few.
"""

from __future__ import annotations

import math
import random
import time
from array import array
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from fcfast import rules, weights
from fcfast.native import engine
from fcfast.rules import FREECELL

MANY, FEW = range(8_000_001, 8_048_001), range(7_000_001, 7_480_001)
HARD = 80
SEED = 1
ROUNDS = 30_000
MOST_STAGES = 7
QUOTAS = (160, 240, 320, 480, 700, 1000, 1500, 2000, 3000, 4000, 6000)
TYPICAL = 480  # expansions at which a search's speed is measured; it changes by a third up to 6,000
MOST_POSITIONS = 200_000  # of the complete search
ROOT = 3e-6  # seconds that a search takes before it expands anything

# As in macro.pxd, autoplay.pxd and lazy.pxd.
NO_MACROS, CELL_MACROS, RUN_MACROS = 0, 1, 2
SAFE, ALL = 2, 3
ANY_DROP = 1024


class Search(NamedTuple):
    """A stage without its quota, as in lazy.pxd."""

    macros: int
    policy: int
    weight: int
    drop: int
    exchange: int
    choosy: bool


Stages = list[tuple[int, int]]  # quota, and which of the searches

FIRST = Search(RUN_MACROS, ALL, 16, 48, 0, True)
SECOND = Search(CELL_MACROS, ALL, 6, 64, 0, True)
SEARCHES = [
    *(Search(RUN_MACROS, ALL, *of, True) for of in product((12, 16, 24), (48, 64), range(4))),
    *(Search(CELL_MACROS, ALL, *of, True) for of in product((6, 9, 12), (48, 64), range(4))),
    *(Search(RUN_MACROS, ALL, *of, False) for of in product((16, 24), (ANY_DROP,), range(4))),
    *(Search(CELL_MACROS, ALL, *of, False) for of in product((6, 9), (ANY_DROP,), range(4))),
    *(Search(NO_MACROS, SAFE, *of, False) for of in product((7, 10), (ANY_DROP,), (0, 3))),
]


class Trials:
    """What every search makes of the hard deals: expansions, infinite where none of them do."""

    def __init__(self) -> None:
        tables = rules.tables(FREECELL, FREECELL.columns, FREECELL.cells)
        self.solver = engine.Solver(tables, 1 << 30, weights.weights_for(FREECELL))
        many = self.left(FIRST, HARD, array("Q", MANY))
        hardest = set(self.left(SECOND, 1500, self.left(FIRST, 320, many)))
        many = array("Q", (number for number in many if number not in hardest))
        few = self.left(SECOND, 1500, self.left(FIRST, 320, array("Q", FEW)))
        deals = many + few
        self.weight = np.repeat([1, len(MANY) / len(FEW)], [len(many), len(few)])
        self.table = np.array([self.nodes(search, max(QUOTAS), deals)[0] for search in SEARCHES])
        self.price = [
            min(self.nodes(search, TYPICAL, many)[1] for _ in range(2)) for search in SEARCHES
        ]
        self.solver.set_stages([])
        started = time.process_time()
        columns = self.solver.solve_deals(deals, node_limit=MOST_POSITIONS)
        self.rest = np.array(columns["nodes"], float)
        self.rest *= (time.process_time() - started) / self.rest.sum()

    def nodes(self, search: Search, most: int, deals: array[int]) -> tuple[Any, float]:
        """Expansions of that search alone per deal, and seconds an expansion."""
        self.solver.set_stages([(most, *search)])
        started = time.process_time()
        columns = self.solver.solve_deals(deals, node_limit=most)
        seconds = time.process_time() - started - ROOT * len(deals)
        nodes = np.array(columns["nodes"], float)
        seconds /= nodes.sum()
        # What is solved by stage 1, the complete search, that search has given up.
        nodes[np.array(columns["status"]) != engine.SOLVED] = np.inf
        nodes[np.array(columns["stage"]) != 0] = np.inf
        return nodes, seconds

    def left(self, search: Search, most: int, deals: array[int]) -> array[int]:
        """Those of the deals that so many expansions of that search do not solve."""
        nodes, _ = self.nodes(search, most, deals)
        return array("Q", np.array(deals)[nodes > most])

    def cost(self, stages: Stages, chosen: Any) -> float:
        """Of the chosen deals, per deal of MANY, in microseconds."""
        table, weight = self.table[:, chosen], self.weight[chosen]
        total = 0.0
        for quota, which in stages:
            seconds = ROOT + self.price[which] * np.minimum(table[which], quota)
            total += float(weight @ seconds)
            weight = weight * (table[which] > quota)
        total += float(weight @ self.rest[chosen])
        return 1e6 * total / len(MANY) * len(chosen) / chosen.sum()


def changed(stages: Stages, chance: random.Random) -> Stages:
    """Another search or quota, two exchanged, one more or one fewer. FIRST stays the first."""
    new = list(stages)
    later = range(1, len(new))
    any_stage = chance.choice(QUOTAS), chance.randrange(len(SEARCHES))
    kind = chance.choice(["search", "quota", "order", "more", "fewer"])
    if kind == "quota":
        at = chance.randrange(len(new))
        new[at] = any_stage[0], new[at][1]
    elif kind == "search" and later:
        at = chance.choice(later)
        new[at] = new[at][0], any_stage[1]
    elif kind == "order" and len(later) > 1:
        one, other = chance.sample(later, 2)
        new[one], new[other] = new[other], new[one]
    elif kind == "more" and len(new) < MOST_STAGES:
        new.insert(chance.randint(1, len(new)), any_stage)
    elif kind == "fewer" and later:
        del new[chance.choice(later)]
    return new


def annealed(trials: Trials, chosen: Any, seed: int) -> Stages:
    """The cheapest stages found for the chosen deals."""
    chance = random.Random(seed)
    stages: Stages = [(320, SEARCHES.index(FIRST)), (1500, SEARCHES.index(SECOND))]
    value = trials.cost(stages, chosen)
    best, best_value, hottest = stages, value, 0.003 * value
    for step in range(ROUNDS):
        new = changed(stages, chance)
        new_value = trials.cost(new, chosen)
        heat = hottest * (1 - step / ROUNDS)
        if new_value < value or chance.random() < math.exp((value - new_value) / heat):
            stages, value = new, new_value
            if value < best_value:
                best, best_value = stages, value
    return best


def show(text: str, stages: Stages) -> None:
    """Prints stages as fast.pxd sets them."""
    print(text, flush=True)
    names = {NO_MACROS: "NO_MACROS", CELL_MACROS: "CELL_MACROS", RUN_MACROS: "RUN_MACROS"}
    for quota, which in stages:
        search = SEARCHES[which]
        policy = "ALL" if search.policy == ALL else "SAFE"
        print(
            f"    add_stage(self, {quota}, {names[search.macros]}, {policy}, {search.weight}, "
            f"{search.drop}, {search.exchange}, {search.choosy})"
        )


def main() -> None:
    trials = Trials()
    half = np.arange(len(trials.weight)) % 2 == 0
    for seed in range(SEED, SEED + 3):
        stages = annealed(trials, half, seed)
        costs = trials.cost(stages, half), trials.cost(stages, ~half)
        show("{:.2f} us a deal, {:.2f} on those kept aside".format(*costs), stages)
    stages = annealed(trials, half | True, SEED)
    show(f"{trials.cost(stages, half | True):.2f} us a deal, all", stages)


if __name__ == "__main__":
    main()
