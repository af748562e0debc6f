"""How many threads work together. Imports errors."""

from __future__ import annotations

import os

from fcfast.errors import whole

MOST_THREADS = 1024


def threads(workers: int | None) -> int:
    """So many, or one for each core that this process may use if None. Raises FcfastError."""
    if workers is not None:
        return whole("workers", workers, 1, MOST_THREADS)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
