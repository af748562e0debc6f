"""The Python judge replays every solution of a range, card by card; verdicts are counted.

    python bench/judge_range.py 1 32000

Nothing is shared between the judge and the search but the predicates over cards.
"""

import sys
from collections import Counter

from fcfast import Status, solve_many, verify

first, last = map(int, sys.argv[1:])
verdicts: Counter[Status] = Counter()
others = []
for number, result in enumerate(solve_many(range(first, last + 1)), first):
    verdicts[result.status] += 1
    if result.status is Status.SOLVED:
        verify(result.board, result.moves)
    else:
        others.append(number)
print(*(f"{status}: {count}" for status, count in verdicts.items()), sep=", ", end="; ")
print(f"not solved: {others}")
