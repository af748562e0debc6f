"""A million deals on one core: verdicts, rate, and memory, which must stay flat.

    python bench/million.py [FIRST LAST]
"""

import resource
import sys
import time
from array import array

from fcfast import rules
from fcfast.native import engine
from fcfast.weights import weights_for

CHUNK = 100_000
first, last = map(int, sys.argv[1:] or (1, 1_000_000))
solver = engine.Solver(rules.tables(rules.FREECELL, 8, 4), 1 << 31, weights_for(rules.FREECELL))
started = time.process_time()
impossible, limits = [], []
for begin in range(first, last + 1, CHUNK):
    numbers = array("Q", range(begin, min(begin + CHUNK, last + 1)))
    columns = solver.solve_deals(numbers)
    for number, status in zip(numbers, columns["status"], strict=True):
        if status == engine.IMPOSSIBLE:
            impossible.append(number)
        elif status == engine.STOPPED:
            limits.append(number)
    seconds = time.process_time() - started
    print(
        f"{numbers[-1]}: {1e6 * seconds / (numbers[-1] - first + 1):.1f} us a deal, "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB at the peak",
        flush=True,
    )
print(f"impossible: {impossible}\nlimits: {limits}")
