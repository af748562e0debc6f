"""Many deals at once, from a laptop's cores to a cluster. What is where, from the bottom up:

columns   the answers to many deals as buffers, a row a deal
summary   counts, lengths, the hardest deals and those without a solution; adds up
work      what is asked about deals, and asking the engine: the part that runs on workers
flight    workers: threads of our own or any executor, with few tasks in flight
chunks    a file of rows that can be checked against itself
folder    a folder of chunks: whose it is, what is finished, what is left
many      solve_many()
ranges    solve_range()
fewest    fewest_cells_range()

Modules import only from lines above their own. pyarrow, NumPy and pandas are imported when asked
for and nothing here needs them.
"""

from fcfast.batch.columns import Columns
from fcfast.batch.fewest import fewest_cells_range
from fcfast.batch.many import solve_many
from fcfast.batch.ranges import solve_range
from fcfast.batch.summary import Summary

__all__ = ["Columns", "Summary", "fewest_cells_range", "solve_many", "solve_range"]
