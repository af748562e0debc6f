"""Workers: threads of our own, somebody's executor, or somebody's map; few tasks in flight.

Imports cores, and work for Stop. A task is a tag, which stays here, and the arguments of a
function, which can be pickled. Nothing is forked.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from fcfast.batch.work import Stop
from fcfast.cores import threads
from fcfast.errors import FcfastError, whole

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

REMOTE_WINDOW = 64  # tasks in flight where nobody says how many workers there are
Task = tuple[Any, tuple[Any, ...]]


class Crew:
    """Those who do the work, for a `with` block; leaving it stops what still runs.

    executor  None for threads of our own; else what has submit(), as concurrent.futures,
              dask.distributed (Client.get_executor()), loky and mpi4py have it; else a function
              that is called like map(function, tasks) and may give results in any order
    workers   how many threads (one a core if None); for an executor, how many workers it has:
              twice as many tasks are in flight
    """

    def __init__(self, executor: Executor | Callable[..., Any] | None, workers: int | None) -> None:
        if workers is not None:
            workers = whole("workers", workers, 1)
        self.stop = Stop()
        self.own = executor is None
        self.executor: Any = executor
        if executor is None:
            from concurrent.futures import ThreadPoolExecutor  # takes 8 ms, most of an import

            _stop_at_exit()
            _stops.add(self.stop)
            workers = threads(workers)
            self.executor = ThreadPoolExecutor(workers, thread_name_prefix="fcfast")
        elif not hasattr(executor, "submit") and not callable(executor):
            raise FcfastError(f"{executor!r} is neither an executor nor like map()")
        self.window = 2 * workers if workers else REMOTE_WINDOW

    def pace(self) -> Pace:
        """How to cut work for these workers: a task sent elsewhere costs more than one here."""
        return Pace(0.1, 10_000) if self.own else Pace(1.0, 100_000)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        if self.own:
            self.executor.shutdown(cancel_futures=True)

    def as_done(self, run: Callable[..., Any], tasks: Iterable[Task]) -> Iterator[tuple[Any, Any]]:
        """(tag, run(*arguments)) of every task, as they finish; at most `window` are unfinished."""
        if not hasattr(self.executor, "submit"):
            yield from self._mapped(run, tasks)
            return
        tasks = iter(tasks)
        flying: dict[Future[Any], Any] = {}
        try:
            while True:
                for tag, arguments in islice(tasks, self.window - len(flying)):
                    flying[self.executor.submit(run, *arguments)] = tag
                if not flying:
                    return
                for future in _finished(flying):
                    yield flying.pop(future), future.result()
        finally:
            _cancel(flying)

    def in_order(
        self, run: Callable[..., Any], tasks: Iterable[Task], ahead: int
    ) -> Iterator[tuple[Any, Any]]:
        """The same in the order of `tasks`; those not yet passed on are at most `ahead`."""
        if not hasattr(self.executor, "submit"):
            yield from self._mapped(run, tasks)
            return
        queue: deque[tuple[Any, Future[Any]]] = deque()
        try:
            for tag, arguments in tasks:
                queue.append((tag, self.executor.submit(run, *arguments)))
                while queue and (len(queue) >= ahead or queue[0][1].done()):
                    yield _popped(queue)
            while queue:
                yield _popped(queue)
        finally:
            _cancel(future for _, future in queue)

    def _mapped(self, run: Callable[..., Any], tasks: Iterable[Task]) -> Iterator[tuple[Any, Any]]:
        # A map may read all its input before it gives anything, so it gets a window at a time.
        tasks = iter(tasks)
        while window := list(islice(tasks, self.window)):
            numbered = [(index, arguments) for index, (_, arguments) in enumerate(window)]
            found = dict(self.executor(_Numbered(run), numbered))
            for index, (tag, _) in enumerate(window):
                yield tag, found[index]


class _Numbered:
    """run(), for a map that mixes up the order."""

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run

    def __call__(self, numbered: tuple[int, tuple[Any, ...]]) -> tuple[int, Any]:
        index, arguments = numbered
        return index, self.run(*arguments)


_stops: WeakSet[Stop] = WeakSet()


@cache
def _stop_at_exit() -> None:
    # Python waits for threads before it lets go of an iterator that nobody closed, and calls the
    # functions of atexit only then. concurrent.futures uses the same hook, and must come last.
    threading._register_atexit(lambda: [stop.set() for stop in _stops])  # type: ignore[attr-defined]


def _finished(flying: Iterable[Future[Any]]) -> set[Future[Any]]:
    from concurrent.futures import FIRST_COMPLETED, wait

    # Waiting is in short turns because on Windows Ctrl-C does not end a wait.
    while True:
        done = wait(flying, timeout=0.05, return_when=FIRST_COMPLETED).done
        if done:
            return done


def _popped(queue: deque[tuple[Any, Future[Any]]]) -> tuple[Any, Any]:
    tag, future = queue[0]
    _finished([future])
    queue.popleft()
    return tag, future.result()


def _cancel(futures: Iterable[Future[Any]]) -> None:
    for future in futures:
        future.cancel()


class Pace:
    """How many deals a task gets, so that it takes `seconds`: few of hard ones, many of easy ones.

    So a deal that takes minutes has few waiting behind it, and easy ones are not slowed down by
    the 0.2 ms that a task costs.
    """

    def __init__(self, seconds: float, most: int) -> None:
        self.seconds = seconds
        self.most = most
        self.size = 1

    def learn(self, deals: int, microseconds: int) -> None:
        """Takes note of a task that is done."""
        if deals:
            fitting = int(1e6 * self.seconds * deals / max(1, microseconds))
            self.size = max(1, min(fitting, 2 * self.size, self.most))
