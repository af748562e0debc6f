"""The one compiled module: Solver, and small windows on the core for tests, hints and benches.

Boards come in as Board.pack(), rules as rules.tables(); steps come out as three bytes each (see
replay.pxd). Everything that a Board or a Variant guarantees is taken as given here.
"""

from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport PyObject
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy

from fcfast.native cimport beam, closed, csv, exhaustive, fast, optimal, proof
from fcfast.native.autoplay cimport ALL, SAFE
from fcfast.native.bound cimport ENDLESS, Bound
from fcfast.native.card cimport DECK
from fcfast.native.dealing cimport Wanted, deal_order, next_wanted
from fcfast.native.evaluate cimport disorder
from fcfast.native.key cimport (
    KEY_BYTES, Codes, Key, key_of, make_codes, read_key, state_of, write_key,
)
from fcfast.native.layout cimport Layout, lay_out_deal
from fcfast.native.lazy cimport HALTED, WON, lazy_bytes, set_up, won_steps, write_won
from fcfast.native.move cimport Move
from fcfast.native.movegen cimport MAX_MOVES, Undo, apply, generate, take_back
from fcfast.native.net cimport NET_BYTES, Net, load_net, make_net
from fcfast.native.replay cimport STEP, Tally, replay
from fcfast.native.rules cimport TABLES_BYTES, Rules, builds_in_suit, load_rules
from fcfast.native.solution cimport (
    NO_MEMORY, NO_REPLAY, Solution, Steps, append, clear_solution, make_room,
)
from fcfast.native.spread cimport can_spread
from fcfast.native.state cimport PACKED_MOST, State, is_won, load, state_ok, store
from fcfast.native.steps cimport write_step, write_steps
from fcfast.native.table cimport EMPTY, Table, path, path_length, release, reserve
from fcfast.native.twins cimport NO_TWINS
from fcfast.native.vector cimport cpu_has_avx2
from fcfast.native.watch cimport CANCELLED, MEMORY, NODES, NO_LIMIT, TIME, Watch, now, start

cdef extern from *:
    """
    #if defined(__GNUC__) && !defined(__clang__)
    static const char *fcfast_compiler = "GCC " __VERSION__;
    #elif defined(__VERSION__)
    static const char *fcfast_compiler = __VERSION__;
    #else
    static const char *fcfast_compiler = "a compiler";
    #endif
    static const char *fcfast_flags = FCFAST_FLAGS;
    """
    const char *fcfast_compiler
    const char *fcfast_flags

cdef enum:
    STATUS_SOLVED = 0
    STATUS_IMPOSSIBLE = 1
    STATUS_STOPPED = 2

SOLVED, IMPOSSIBLE, STOPPED = STATUS_SOLVED, STATUS_IMPOSSIBLE, STATUS_STOPPED
STAGES = ("fast", "complete")
LIMITS = {NODES: "nodes", TIME: "time", MEMORY: "memory", CANCELLED: "cancelled"}
FAULTS = {
    closed.NO_POSITION: "a number in the set stands for no position",
    closed.START_MISSING: "the board itself is not in the set",
    closed.NEAR_WIN: "a position in the set is one move from a win",
    closed.LEADS_OUT: "a move leads out of the set",
}
FOREVER = 1e18
COLUMNS = {
    "status": "B", "limit": "B", "moves": "I", "singles": "I", "nodes": "Q", "microseconds": "Q",
    "bytes": "Q", "stage": "B", "lengths": "I",
}
BOARD_BYTES = PACKED_MOST
COMPILER = fcfast_compiler.decode()
FLAGS = fcfast_flags.decode()   # those of setup.py and of who built it, besides Python's own
LEAST_BYTES = 1 << 16   # an index of 4,096 slots and 1,500 nodes, or 4,096 positions of a proof

IN_TIME = 0.97              # of the time limit: what a beam that fits in it sets itself
cdef enum:
    KEPT_BYTES = 1 << 24
    RUN = 1 << 18           # positions that are sorted and written together
    PARALLEL_FROM = 1 << 15  # positions; below, starting threads costs more than they save
    SHORT_SEARCH = 1 << 17  # positions; deals 1..32000 take 61,643 at most
    SHORT_PROOF = 1 << 20
    SHORT_PROOF_BYTES = 32 * SHORT_PROOF
    FOURS = 3               # twins from there on alike: with lower ones it meets more wins


cdef class Solver:
    """Solves boards under one set of rules; one memory block, reserved once and used again.

    A Solver is for one thread at a time; solving lets the GIL go. Raises ValueError for tables
    that are not rules.tables(), MemoryError where `memory_limit` bytes cannot be reserved; the fast
    search has up to 18 MB of its own besides, most of which it never touches. `net` is the
    evaluation's weights after their header; without, one made from the rules is used.
    """

    cdef Rules rules
    cdef Watch watch
    cdef Table table
    cdef Net net
    cdef fast.Fast fast
    cdef uint8_t *fast_block
    cdef bint by_fast, proves
    cdef exhaustive.Exhaustive complete
    cdef Solution solution
    cdef int64_t memory_limit
    cdef object _cancel, _progress
    cdef public object _raised

    def __cinit__(self, bytes tables, int64_t memory_limit, bytes net=None):
        check_tables(tables)
        load_rules(&self.rules, <const uint8_t *>tables)
        self.memory_limit = memory_limit
        self.fast_block = <uint8_t *>malloc(lazy_bytes())
        if self.fast_block == NULL:
            raise MemoryError(f"cannot reserve {lazy_bytes()} bytes")
        if not reserve(&self.table, self.memory_limit):
            raise MemoryError(f"cannot reserve {memory_limit} bytes")
        set_net(&self.net, &self.rules, net)
        self.watch.owner = <PyObject *>self
        set_up(&self.fast.lazy, &self.rules, &self.net, &self.watch, self.fast_block)
        fast.set_stages(&self.fast)
        self.complete.rules = &self.rules
        self.complete.watch = &self.watch
        self.complete.table = &self.table

    def __dealloc__(self):
        release(&self.table)
        free(self.fast_block)
        free(self.solution.moves)
        free(self.solution.steps)

    def solve(
        self, bytes packed, *, int autoplay=SAFE, node_limit=None, time_limit=None,
        cancel=None, progress=None, bint prove=True,
    ):
        """One board: (status, limit, steps, moves, singles, nodes, seconds, bytes, stage).

        `autoplay` is the policy that the moves are counted under, and the one played by if ALL.
        When the memory is full a leaner search goes on and may still prove that there is no win,
        unless `prove` is false.
        `cancel` has is_set(); `progress(stage, nodes, bytes)` is called 50 times a second. What
        either raises, and KeyboardInterrupt, ends the search and is raised again here.
        """
        cdef const uint8_t *board = packed
        cdef int status
        self._cancel, self._progress, self._raised = cancel, progress, None
        self.proves = prove
        start(&self.watch, whole_limit(node_limit), FOREVER if time_limit is None else time_limit)
        with nogil:
            status = self.settle(board, autoplay)
        self._cancel = self._progress = None
        self.check()
        return (
            status, LIMITS.get(self.watch.reached) if status == STATUS_STOPPED else None,
            self.steps(), self.solution.tally.moves, self.solution.tally.singles,
            self.watch.nodes, now() - self.watch.started, self.watch.bytes,
            self.stage(),
        )

    def solve_deals(
        self, const uint64_t[::1] numbers, *, int dealt_to_cells=0, bint beak=False,
        int autoplay=SAFE, node_limit=None, time_limit=None, cancel=None, bint with_steps=False,
    ):
        """Many numbered deals (below 2**33) in one go, the GIL let go for all of them.

        Limits are for each deal. Returns a dict of equally long array.arrays: status (uint8),
        limit (uint8, the Limit of watch.pxd), moves, singles (uint32), nodes, microseconds, bytes
        (uint64) and stage (uint8, of STAGES); with steps also `lengths` (uint32), the bytes that
        each solution has in `steps`, where all are end to end. A cancelled call returns what was
        finished.
        """
        cdef Layout layout
        layout.columns, layout.cells = self.rules.columns, self.rules.cells
        layout.dealt_to_cells, layout.beak = dealt_to_cells, beak
        return self.solve_all(
            numbers.shape[0], &numbers[0] if numbers.shape[0] else NULL, &layout, NULL,
            autoplay, node_limit, time_limit, cancel, with_steps,
        )

    def solve_boards(
        self, bytes boards, *, int autoplay=SAFE, node_limit=None, time_limit=None, cancel=None,
        bint with_steps=False,
    ):
        """solve_deals() for packed boards end to end, each filled up to BOARD_BYTES."""
        return self.solve_all(
            len(boards) // PACKED_MOST, NULL, NULL, boards,
            autoplay, node_limit, time_limit, cancel, with_steps,
        )

    cdef solve_all(
        self, Py_ssize_t count, const uint64_t *numbers, const Layout *layout,
        const uint8_t *boards, int autoplay, node_limit, time_limit, cancel, bint with_steps,
    ):
        cdef Py_ssize_t index
        cdef int64_t most = whole_limit(node_limit)
        cdef double time = FOREVER if time_limit is None else time_limit, question = 0, begun
        cdef uint8_t packed[PACKED_MOST]
        cdef const uint8_t *board
        cdef uint8_t[::1] status, limit, stage
        cdef uint32_t[::1] moves, singles, lengths
        cdef uint64_t[::1] nodes, microseconds, held
        cdef Steps steps
        columns = {
            name: array(code, bytes(count * array(code).itemsize)) for name, code in COLUMNS.items()
        }
        status, limit, moves = columns["status"], columns["limit"], columns["moves"]
        singles, nodes, held = columns["singles"], columns["nodes"], columns["bytes"]
        microseconds, lengths = columns["microseconds"], columns["lengths"]
        stage = columns["stage"]
        steps.data, steps.size, steps.capacity = NULL, 0, 0
        self._cancel, self._progress, self._raised = cancel, None, None
        self.proves = True
        with nogil:
            for index in range(count):
                start(&self.watch, most, time)
                begun = self.watch.started
                if question:
                    self.watch.next_question = question  # asked every 20 ms over all the deals
                if numbers != NULL:
                    lay_out_deal(layout, numbers[index], packed)
                    board = packed
                else:
                    board = boards + index * PACKED_MOST
                status[index] = <uint8_t>self.settle(board, autoplay)
                if self.watch.reached == CANCELLED or self.solution.wrong:
                    break
                question = self.watch.next_question
                limit[index] = <uint8_t>self.watch.reached
                moves[index] = self.solution.tally.moves
                singles[index] = self.solution.tally.singles
                nodes[index] = self.watch.nodes
                held[index] = self.watch.bytes
                stage[index] = not self.by_fast
                if with_steps:
                    if not append(&steps, &self.solution):
                        self.solution.wrong = NO_MEMORY
                        break
                    lengths[index] = STEP * self.solution.count
                microseconds[index] = <uint64_t>(1e6 * (now() - begun))
            else:
                index = count
        self._cancel = None
        try:
            self.check()
            if index < count:
                columns = {name: column[:index] for name, column in columns.items()}
            if with_steps:
                columns["steps"] = steps.data[:steps.size] if steps.size else b""
            else:
                del columns["lengths"]
        finally:
            free(steps.data)
        return columns

    cdef int settle(self, const uint8_t *packed, int autoplay) noexcept nogil:
        # Solves a packed board into self.solution, replays it, and returns the status.
        cdef State root
        cdef int status = STATUS_STOPPED, outcome
        clear_solution(&self.solution)
        load(&root, packed)
        self.by_fast = can_spread(&root)
        if self.by_fast:
            outcome = fast.search(&self.fast, &root, autoplay)
            if outcome == WON:
                self.write_fast()
                status = STATUS_SOLVED
            self.by_fast = outcome == WON or outcome == HALTED
        if not self.by_fast:
            self.complete.policy = ALL if autoplay == ALL else SAFE
            outcome = self.decide(&root)
            if outcome == exhaustive.FOUND:
                self.write_complete(&root)
                status = STATUS_SOLVED
            elif outcome == exhaustive.NONE_LEFT:
                status = STATUS_IMPOSSIBLE
            if self.watch.bytes > KEPT_BYTES or self.table.nodes == NULL:
                # A long search's pages go back to the system; a short one's stay for the next.
                release(&self.table)
                if not reserve(&self.table, self.memory_limit):
                    self.solution.wrong = NO_MEMORY
        if status == STATUS_SOLVED and not self.solution.wrong and not replay(
            packed, &self.rules, autoplay, self.solution.steps, self.solution.count,
            &self.solution.tally
        ):
            self.solution.wrong = NO_REPLAY
        return status

    cdef int decide(self, const State *root) noexcept nogil:
        # The complete search writes a win, the proof search is lean, and leanest with twins taken
        # for one another. So it has a try before the complete search becomes long, with its own
        # limit, and all that is left when the complete search's memory is full.
        cdef int64_t most = self.watch.node_limit
        cdef int outcome, twins_from = FOURS
        if self.complete.policy != SAFE or builds_in_suit(&self.rules):
            twins_from = NO_TWINS
        if self.proves and twins_from < NO_TWINS:
            self.watch.node_limit = min(most, self.watch.nodes + SHORT_SEARCH)
        outcome = exhaustive.search(&self.complete, root)
        if self.watch.reached == NODES and self.watch.nodes < most:
            self.watch.node_limit = min(most, self.watch.nodes + SHORT_PROOF)
            outcome = self.prove(root, twins_from, min(self.memory_limit, SHORT_PROOF_BYTES))
            if outcome == exhaustive.FOUND:
                twins_from = NO_TWINS
            if outcome == exhaustive.FOUND or self.watch.reached == MEMORY or (
                    self.watch.reached == NODES and self.watch.nodes < most):
                self.watch.node_limit = most
                self.watch.reached = NO_LIMIT
                if not reserve(&self.table, self.memory_limit):
                    self.solution.wrong = NO_MEMORY
                    return exhaustive.STOPPED
                outcome = exhaustive.search(&self.complete, root)
        self.watch.node_limit = most
        if self.proves and self.watch.reached == MEMORY:
            outcome = self.prove(root, twins_from, self.memory_limit)
            if outcome == exhaustive.FOUND and twins_from < NO_TWINS:
                outcome = self.prove(root, NO_TWINS, self.memory_limit)
            if outcome == exhaustive.FOUND:  # its moves are not known
                self.watch.reached = MEMORY
                outcome = exhaustive.STOPPED
        return outcome

    cdef int prove(self, const State *root, int twins_from, int64_t bytes) noexcept nogil:
        # The proof search, in place of the complete search's table; what it finds cannot be
        # written, and with twins taken for one another need not be a win.
        cdef proof.Proof *search = <proof.Proof *>calloc(1, sizeof(proof.Proof))
        cdef proof.Worker *worker = <proof.Worker *>malloc(sizeof(proof.Worker))
        cdef int outcome = exhaustive.STOPPED
        release(&self.table)
        self.watch.reached = MEMORY
        if search != NULL and worker != NULL:
            search.rules, search.watch, search.policy = (
                &self.rules, &self.watch, self.complete.policy)
            if proof.open_table(search, bytes):
                self.watch.reached = NO_LIMIT
                outcome = proof.search(search, worker, root, twins_from)
            proof.close_table(search)
        free(worker)
        free(search)
        return outcome

    cdef void write_fast(self) noexcept nogil:
        cdef int count = won_steps(&self.fast.lazy)
        if not make_room(&self.solution, count):
            self.solution.wrong = NO_MEMORY
            return
        write_won(&self.fast.lazy, self.solution.steps, count)
        self.solution.count = count

    cdef void write_complete(self, const State *root) noexcept nogil:
        cdef State state = root[0]
        cdef int length = path_length(&self.table, self.complete.won)
        if not make_room(&self.solution, length + DECK):
            self.solution.wrong = NO_MEMORY
            return
        path(&self.table, self.complete.won, self.solution.moves)
        self.solution.count = write_steps(
            &state, &self.rules, self.complete.policy, self.solution.moves, length,
            self.solution.steps
        ) // STEP

    def set_stages(self, stages):
        """Replaces those of the fast search, each (quota, macros, policy, weight, drop, exchange,
        choosy) as in fast.pxd: for tuning. Raises ValueError for more than eight.
        """
        if len(stages) > fast.STAGES_MOST:
            raise ValueError(f"{len(stages)} stages, at most {fast.STAGES_MOST}")
        self.fast.stages = 0
        for quota, macros, policy, weight, drop, exchange, choosy in stages:
            fast.add_stage(&self.fast, quota, macros, policy, weight, drop, exchange, choosy)

    @property
    def children(self):
        """How many children the fast search has valued so far, over all deals: for benches."""
        return self.fast.lazy.children

    cdef bytes steps(self):
        if self.solution.count == 0:
            return b""
        return self.solution.steps[:STEP * self.solution.count]

    cdef str stage(self):
        return STAGES[not self.by_fast]

    cdef check(self):
        # Raises what the search without the GIL could not.
        if self._raised is not None:
            raise self._raised
        if self.solution.wrong == NO_MEMORY:
            raise MemoryError(f"cannot reserve {self.memory_limit} bytes")
        if self.solution.wrong == NO_REPLAY:
            raise AssertionError("the engine found a solution that does not replay")

    def _question(self):
        """Asked by the running search every 20 ms: true to stop it."""
        PyErr_CheckSignals()
        if self._progress is not None:
            self._progress(self.stage(), self.watch.nodes, self.watch.bytes)
        return self._cancel is not None and self._cancel.is_set()


cdef int64_t whole_limit(limit):
    return INT64_MAX if limit is None else min(limit, INT64_MAX)


cdef class Prover:
    """Visits every position that can be reached from a board, level by level (proof.pxd).

    `workers` threads share one table of at most `memory_limit` bytes, but at least 64 KB. Raises
    ValueError for tables that are not rules.tables(), MemoryError where that cannot be reserved.

        prover.begin(packed)
        while prover.run(...) is at its memory limit: make room, see spill()
    """

    cdef Rules rules
    cdef Watch watch
    cdef proof.Proof search
    cdef proof.Worker *workers
    cdef int worker_count
    cdef Key *buffer
    cdef object _cancel, _progress
    cdef public object _raised

    def __cinit__(self, bytes tables, int64_t memory_limit, int workers=1):
        check_tables(tables)
        load_rules(&self.rules, <const uint8_t *>tables)
        self.worker_count = max(1, workers)
        self.workers = <proof.Worker *>malloc(self.worker_count * sizeof(proof.Worker))
        if self.workers == NULL or not proof.open_table(&self.search, memory_limit):
            raise MemoryError(f"cannot reserve {memory_limit} bytes")
        self.watch.owner = <PyObject *>self
        self.search.rules = &self.rules
        self.search.watch = &self.watch

    def __dealloc__(self):
        proof.close_table(&self.search)
        free(self.workers)
        free(self.buffer)

    def begin(self, bytes packed, int autoplay=SAFE, int twins_from=NO_TWINS):
        """Starts over with one board, played under ALL or else SAFE.

        From the rank `twins_from` on twins are taken for one another, where the rules have it so
        (twins.pxd): then IMPOSSIBLE is proved by fewer positions, but SOLVED says nothing.
        """
        cdef State root
        load(&root, packed)
        self.search.policy = ALL if autoplay == ALL else SAFE
        proof.begin(&self.search, &root, twins_from)

    @property
    def twins_from(self):
        """The rank from which twins are taken for one another, 13 (NO_TWINS) if they are not."""
        return self.search.twins_from

    def run(
        self, *, node_limit=None, time_limit=None, cancel=None, progress=None, dropped=None,
    ):
        """Goes on until a verdict or a limit: (status, limit, nodes, seconds).

        SOLVED means that a won position was reached; its moves are not known, and if twins are
        taken for one another it may be none of this board's. Limits and counts are those of this
        call; a call after a limit goes on where the last one stopped.
        `cancel` and `progress` are as in Solver.solve(). `dropped(keys)` gets every position that
        the table forgets, in runs as of positions().
        """
        cdef int outcome
        self._cancel, self._progress, self._raised = cancel, progress, None
        start(&self.watch, whole_limit(node_limit), FOREVER if time_limit is None else time_limit)
        while True:
            outcome = proof.next_sweep(&self.search)
            if outcome == proof.GO_ON:
                self._sweep()
            elif outcome == proof.FULL:
                self._make_room(dropped)
            else:
                break
        self._cancel = self._progress = None
        if self._raised is not None:
            raise self._raised
        return (
            STATUS_SOLVED if outcome == exhaustive.FOUND
            else STATUS_IMPOSSIBLE if outcome == exhaustive.NONE_LEFT else STATUS_STOPPED,
            LIMITS.get(self.watch.reached) if outcome == exhaustive.STOPPED else None,
            self.watch.nodes, now() - self.watch.started,
        )

    cdef _sweep(self):
        cdef int index, threads = self.worker_count if self.search.count > PARALLEL_FROM else 1
        others = []
        if threads > 1:
            from threading import Thread

            for index in range(1, threads):
                others.append(Thread(target=self._work, args=(index,), daemon=True))
        for thread in others:
            thread.start()
        try:
            self._work(0)
            for thread in others:
                thread.join()
        except BaseException as error:  # KeyboardInterrupt out of join()
            self._raised = error
            self.watch.reached = CANCELLED
            for thread in others:
                thread.join()
        for index in range(threads):
            proof.settle(&self.search, &self.workers[index])

    cdef _make_room(self, dropped):
        # At the cost of lower levels, else of what is enclosed, else that is the memory limit.
        self._hand_over(dropped, 0, proof.lowest_waiting(&self.search) - 1)
        if (not proof.make_room(&self.search)
                and not self.drop_enclosed(dropped, proof.worth_it(&self.search))):
            self.watch.reached = MEMORY

    def drop_enclosed(self, dropped=None, int64_t least=0):
        """Forgets what it may, of the level that is worked on if so many are expanded there.

        `dropped` is as in run(). False where that gave less than a thirty-second of the table.
        """
        with nogil:
            proof.mark_enclosed(&self.search, &self.workers[0], least)
        self._hand_over(dropped, 0, proof.lowest_waiting(&self.search) - 1)
        self._hand_over(dropped, proof.ENCLOSED, proof.ENCLOSED)
        return proof.make_room(&self.search)

    cdef _hand_over(self, dropped, int low, int high):
        if dropped is not None:
            for keys in self.positions(low, high):
                dropped(keys)

    def _work(self, int index):
        """One worker's part of a sweep, in its own thread."""
        with nogil:
            proof.sweep(&self.search, &self.workers[index])

    def positions(self, int low=0, int high=proof.LEVELS - 1, expanded=None):
        """The positions in the table at levels low..high, in sorted runs of 15 bytes each.

        `expanded` true or false: only those that have been expanded, or that wait for it.
        """
        cdef int64_t at = 0, count, index
        cdef int wanted = -1 if expanded is None else bool(expanded)
        if self.buffer == NULL:
            self.buffer = <Key *>malloc(RUN * sizeof(Key))
            if self.buffer == NULL:
                raise MemoryError
        while True:
            with nogil:
                count = proof.collect(&self.search, low, high, wanted, &at, self.buffer, RUN)
                qsort(self.buffer, count, sizeof(Key), compare_keys)
            if count == 0:
                return
            keys = PyBytes_FromStringAndSize(NULL, KEY_BYTES * count)
            for index in range(count):
                write_key(
                    <uint8_t *>PyBytes_AS_STRING(keys) + KEY_BYTES * index, &self.buffer[index])
            yield keys

    def expect(self, int64_t positions):
        """Makes the table as large as so many more of put_back() need, or as it may be."""
        proof.expect(&self.search, positions)

    def put_back(self, bytes keys, bint expanded=False):
        """Adds positions of positions(). False where the table is full."""
        cdef Key key
        cdef Py_ssize_t at
        for at in range(0, len(keys), KEY_BYTES):
            read_key(&key, <const uint8_t *>keys + at)
            if not proof.put_back(&self.search, &key, expanded):
                return False
        return True

    def keep(self, int low, int high):
        """Forgets all positions but those at levels low..high."""
        proof.keep(&self.search, low, high)

    @property
    def level(self):
        """The lowest level with positions that wait."""
        return proof.lowest_waiting(&self.search)

    @property
    def waiting(self):
        """How many positions wait, the lowest level that has some, and the highest."""
        cdef int level, highest = 0
        cdef int64_t count = 0
        for level in range(proof.LEVELS):
            count += self.search.waiting[level]
            if self.search.waiting[level]:
                highest = level
        return count, proof.lowest_waiting(&self.search), highest

    @property
    def last_level(self):
        """The level where run() stops."""
        return self.search.last_level

    @last_level.setter
    def last_level(self, int level):
        self.search.last_level = min(level, proof.LEVELS - 1)

    @property
    def nodes(self):
        """How many positions the last run() has expanded."""
        return self.watch.nodes

    @property
    def peak(self):
        """The most positions that the table has held."""
        return self.search.peak

    @property
    def enclosed(self):
        """How many positions were dropped before their level was done."""
        return self.search.enclosed

    @property
    def table_bytes(self):
        """The size of the table."""
        return proof.bytes_used(&self.search)

    def _question(self):
        """Asked by the running search every 20 ms: true to stop it."""
        PyErr_CheckSignals()
        if self._progress is not None:
            self._progress("proof", self.watch.nodes, self.watch.bytes)
        return self._cancel is not None and self._cancel.is_set()


cdef class ClosedSet:
    """The native form of certificate.py's check: add() all positions, then ask for faults.

    `runs` says whether runs moved in one go are moves of their own; from the rank `twins_from` on
    twins are taken for one another. Raises MemoryError where there is no room for `count`
    positions.
    """

    cdef Rules rules
    cdef closed.Closed known
    cdef closed.Spread start
    cdef int64_t left

    def __cinit__(
        self, bytes packed, bytes tables, int64_t count, bint runs, int twins_from=NO_TWINS
    ):
        check_tables(tables)
        load_rules(&self.rules, <const uint8_t *>tables)
        closed.start_set(&self.known, &self.start, &self.rules, packed, runs, twins_from)
        self.left = count
        if not closed.make_set(&self.known, count):
            raise MemoryError(f"no room for {count} positions")

    def __dealloc__(self):
        free(self.known.known)

    def add(self, bytes keys):
        """Positions end to end, 15 bytes each, `count` in all at most."""
        cdef Py_ssize_t at
        self.left -= len(keys) // KEY_BYTES
        if self.left < 0:
            raise ValueError("more positions than there is room for")
        for at in range(0, len(keys), KEY_BYTES):
            closed.add_known(&self.known, <const uint8_t *>keys + at)

    def faults(self):
        """What keeps the set from being a proof, a sentence each; none if it is one."""
        cdef int64_t at = 0, size = <int64_t>self.known.mask + 1
        cdef int fault = closed.check_start(&self.known, &self.start)
        while at < size and not fault:
            with nogil:
                fault = closed.check_all(&self.known, at, min(size, at + RUN))
            at += RUN
            PyErr_CheckSignals()
        return [sentence for bit, sentence in FAULTS.items() if fault & bit]


cdef int compare_keys(const void *one, const void *other) noexcept nogil:
    cdef const Key *left = <const Key *>one
    cdef const Key *right = <const Key *>other
    if left.word[1] != right.word[1]:
        return 1 if left.word[1] > right.word[1] else -1
    return (left.word[0] > right.word[0]) - (left.word[0] < right.word[0])


cdef class Shortener:
    """Short and shortest solutions under one set of rules; memory and threads as for a Solver.

    Lengths are in moves under the `autoplay` policy, or in `singles`. `best` is the length of a
    solution that is known, None without one: only shorter ones are looked for.
    """

    cdef Rules rules
    cdef Watch watch
    cdef Table table
    cdef Bound bound
    cdef Net net
    cdef optimal.Optimal shortest
    cdef beam.Beam beam
    cdef Solution solution
    cdef int64_t memory_limit
    cdef bint proving
    cdef object _cancel, _progress
    cdef public object _raised

    def __cinit__(self, bytes tables, int64_t memory_limit, bytes net=None):
        check_tables(tables)
        load_rules(&self.rules, <const uint8_t *>tables)
        self.memory_limit = memory_limit
        if not reserve(&self.table, self.memory_limit):
            raise MemoryError(f"cannot reserve {memory_limit} bytes")
        set_net(&self.net, &self.rules, net)
        self.beam.ground.net = &self.net
        self.watch.owner = <PyObject *>self
        self.shortest.watch = self.beam.watch = &self.watch
        self.shortest.table = self.beam.table = &self.table
        self.shortest.bound = &self.bound

    def __dealloc__(self):
        release(&self.table)
        free(self.solution.moves)
        free(self.solution.steps)

    def lower_bound(self, bytes packed, *, int autoplay=SAFE, bint singles=False):
        """No solution of the board is shorter than this."""
        cdef State root
        load(&root, packed)
        optimal.set_metric(&self.shortest, &self.rules, autoplay, singles)
        return optimal.root_bound(&self.shortest, &root)

    def shorten(
        self, bytes packed, int width, *, int autoplay=SAFE, bint singles=False, best=None,
        likely=None, node_limit=None, time_limit=None, cancel=None, progress=None,
    ):
        """A beam of that width: (steps, moves, singles, complete, limit, nodes, seconds, bytes).

        With `likely`, a guess of the length, it is as wide at most, and level by level such that it
        ends within the limits. `steps` is empty where it found nothing. If it was
        `complete`, there is nothing shorter than what it found, or without that nothing shorter
        than `best`. `progress(nodes, bytes)` is called 50 times a second; it, `cancel` and limits
        work as in Solver.solve().
        """
        cdef State root
        cdef int outcome, given, levels
        cdef bint complete = False, room
        cdef double until
        self._begin(False, cancel, progress, node_limit, time_limit)
        optimal.set_metric(&self.shortest, &self.rules, autoplay, singles)
        load(&root, packed)
        beam.set_metric(&self.beam, &self.shortest)
        given = beam.settle(&self.beam, &root)
        levels = ENDLESS if best is None else best - 1 - given
        room = beam.set_width(&self.beam, width, levels)
        while not room and likely is not None and width > 1:
            width //= 2
            room = beam.set_width(&self.beam, width, levels)
        if likely is not None:
            until = self.watch.deadline
            if time_limit is not None:
                until = self.watch.started + IN_TIME * <double>time_limit
            beam.pace(&self.beam, until, likely - given)
        if is_won(&root):
            outcome = beam.FOUND
            self.beam.level = 0
        elif room:
            with nogil:
                outcome = beam.search(&self.beam, &root)
        else:
            outcome = beam.STOPPED
            self.watch.reached = MEMORY
        steps = b""
        self.solution.tally.moves = self.solution.tally.singles = 0
        if outcome == beam.FOUND:
            self._make_room(self.beam.level)
            beam.path(&self.beam, self.solution.moves)
            steps = self._written(packed, autoplay, self.beam.policy, self.beam.level)
        complete = outcome != beam.STOPPED and self.beam.complete and not self.shortest.home_cost
        self._end()
        return (
            steps, self.solution.tally.moves, self.solution.tally.singles, complete,
            LIMITS.get(self.watch.reached), self.watch.nodes, now() - self.watch.started,
            self.watch.bytes,
        )

    def prove(
        self, bytes packed, *, int autoplay=SAFE, bint singles=False, best=None, node_limit=None,
        time_limit=None, cancel=None, progress=None,
    ):
        """A shortest solution: (steps, moves, singles, bound, limit, nodes, seconds, bytes).

        `steps` is empty where nothing shorter than `best` was found. Nothing is shorter than
        `bound`, which is None if the search ended without a limit and nothing was known or found:
        then the board cannot be won. `progress(length, bound, nodes, bytes)` as in shorten().
        """
        cdef State root
        cdef int known = ENDLESS if best is None else best, length
        self._begin(True, cancel, progress, node_limit, time_limit)
        load(&root, packed)
        optimal.set_metric(&self.shortest, &self.rules, autoplay, singles)
        with nogil:
            optimal.search(&self.shortest, &root, known)
        steps = b""
        self.solution.tally.moves = self.solution.tally.singles = 0
        if self.shortest.won != EMPTY:
            length = path_length(self.shortest.table, self.shortest.won)
            self._make_room(length)
            path(self.shortest.table, self.shortest.won, self.solution.moves)
            steps = self._written(packed, autoplay, self.shortest.policy, length)
        self._end()
        bound = min(self.shortest.best, self.shortest.lowest_f)
        return (
            steps, self.solution.tally.moves, self.solution.tally.singles,
            None if self.shortest.best == ENDLESS and not self.watch.reached else bound,
            LIMITS.get(self.watch.reached), self.watch.nodes, now() - self.watch.started,
            self.watch.bytes,
        )

    def all_shortest(
        self, bytes packed, int length, *, int autoplay=SAFE, bint singles=False, node_limit=None,
        time_limit=None, cancel=None, progress=None,
    ):
        """What all shortest solutions, of that length, consist of: (links, won, limit, nodes).

        `links` is an array of (position, next position, move) end to end, those furthest from the
        board first, which is position 0; `won` is the number of the won one. At a limit there are
        none. The rest is as in prove(), and written() reads the moves.
        """
        cdef State root
        cdef optimal.Links links
        cdef bint ended
        self._begin(True, cancel, progress, node_limit, time_limit)
        load(&root, packed)
        optimal.set_metric(&self.shortest, &self.rules, autoplay, singles)
        with nogil:
            ended = optimal.search_all(&self.shortest, &root, length, &links)
        found = array("I")
        try:
            if ended and links.count:
                found.frombytes((<uint8_t *>links.link)[:links.count * sizeof(optimal.Link)])
        finally:
            free(links.link)
        self._end()
        return found, self.shortest.won, LIMITS.get(self.watch.reached), self.watch.nodes

    def written(self, bytes packed, moves, *, int autoplay=SAFE, bint singles=False):
        """The steps of a solution whose moves are those of all_shortest()."""
        optimal.set_metric(&self.shortest, &self.rules, autoplay, singles)
        self._make_room(len(moves))
        for index, move in enumerate(moves):
            self.solution.moves[<int>index] = <Move>move
        return self._written(packed, autoplay, self.shortest.policy, len(moves))

    def _begin(self, bint proving, cancel, progress, node_limit, time_limit):
        self.proving = proving
        self._cancel, self._progress, self._raised = cancel, progress, None
        start(&self.watch, whole_limit(node_limit), FOREVER if time_limit is None else time_limit)

    def _end(self):
        # As in Solver: pages of a long search go back to the system.
        self._cancel = self._progress = None
        if self.watch.bytes > KEPT_BYTES:
            release(&self.table)
            if not reserve(&self.table, self.memory_limit):
                raise MemoryError(f"cannot reserve {self.memory_limit} bytes")
        if self._raised is not None:
            raise self._raised

    def _make_room(self, int moves):
        if not make_room(&self.solution, moves + DECK):
            raise MemoryError("no memory for the solution")

    cdef bytes _written(self, bytes packed, int autoplay, int policy, int length):
        # The moves in self.solution as steps, replayed; `policy` is the search's own.
        cdef State state
        load(&state, packed)
        self.solution.count = write_steps(
            &state, &self.rules, policy, self.solution.moves, length, self.solution.steps
        ) // STEP
        if not replay(
            packed, &self.rules, autoplay, self.solution.steps, self.solution.count,
            &self.solution.tally
        ):
            raise AssertionError("the engine found a solution that does not replay")
        return self.solution.steps[:STEP * self.solution.count]

    def _question(self):
        """Asked by the running search every 20 ms: true to stop it."""
        PyErr_CheckSignals()
        if self._progress is not None:
            if self.proving:
                self._progress(
                    None if self.shortest.best == ENDLESS else self.shortest.best,
                    min(self.shortest.best, self.shortest.lowest_f), self.watch.nodes,
                    self.watch.bytes)
            else:
                self._progress(self.watch.nodes, self.watch.bytes)
        return self._cancel is not None and self._cancel.is_set()


# Windows


cdef set_net(Net *net, const Rules *rules, bytes weights):
    # One that is given, or one made from the rules.
    if weights is None:
        make_net(net, rules)
        return
    if len(weights) != NET_BYTES:
        raise ValueError(f"a net holds {NET_BYTES} bytes, not {len(weights)}")
    load_net(net, weights)


cdef check_tables(bytes tables):
    if len(tables) != TABLES_BYTES:
        raise ValueError(f"tables hold {TABLES_BYTES} bytes, not {len(tables)}")


def has_avx2():
    """Does this processor run the module that was compiled a second time, for AVX2?"""
    return bool(cpu_has_avx2())


def legal_moves(bytes packed, bytes tables):
    """Every move of the generator as a step (source, target, count)."""
    cdef State state
    cdef Rules rules
    cdef Move moves[MAX_MOVES]
    cdef uint8_t step[3]
    cdef State before
    cdef int index, count
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&state, packed)
    count = generate(&state, &rules, moves)
    steps = []
    for index in range(count):
        before = state
        write_step(&before, moves[index], step)
        steps.append((step[0], step[1], step[2]))
    return steps


def apply_move(bytes packed, bytes tables, int index):
    """The packed board after the move of that index in legal_moves(), and after taking it back."""
    cdef State state
    cdef Rules rules
    cdef Move moves[MAX_MOVES]
    cdef Undo undo
    cdef uint8_t after[PACKED_MOST]
    cdef uint8_t restored[PACKED_MOST]
    cdef int size
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&state, packed)
    if not 0 <= index < generate(&state, &rules, moves):
        raise IndexError(index)
    apply(&state, moves[index], &undo)
    size = store(&state, after)
    if not state_ok(&state):
        raise AssertionError("apply broke the position")
    take_back(&state, moves[index], &undo)
    if not state_ok(&state):
        raise AssertionError("take_back broke the position")
    return after[:size], restored[:store(&state, restored)]


def evaluate(bytes packed, bytes tables):
    """The complete search's evaluation of a position: lower is nearer to won."""
    cdef State state
    cdef Rules rules
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&state, packed)
    return disorder(&state, &rules)


def key(bytes packed, bytes tables, bytes deal):
    """The exact key of a position that came from `deal`: two 64-bit words."""
    cdef State state, root
    cdef Rules rules
    cdef Codes codes
    cdef Key found
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&root, deal)
    load(&state, packed)
    make_codes(&codes, &rules, &root)
    key_of(&found, &codes, &state)
    return found.word[0], found.word[1]


def board_of_key(words, bytes tables, bytes deal):
    """The packed board of a key, its columns and cells in an order of its own."""
    cdef State state, root
    cdef Rules rules
    cdef Codes codes
    cdef Key found
    cdef uint8_t packed[PACKED_MOST]
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&root, deal)
    make_codes(&codes, &rules, &root)
    found.word[0], found.word[1] = words
    state_of(&state, &codes, &found, root.columns, root.cells)
    return packed[:store(&state, packed)]


cdef uint64_t count_paths(State *state, const Rules *rules, int depth) noexcept nogil:
    cdef Move moves[MAX_MOVES]
    cdef Undo undo
    cdef int index, count = generate(state, rules, moves)
    cdef uint64_t paths = 0
    if depth == 1:
        return count
    for index in range(count):
        apply(state, moves[index], &undo)
        paths += count_paths(state, rules, depth - 1)
        take_back(state, moves[index], &undo)
    return paths


def replay_steps(bytes packed, bytes tables, bytes steps, int autoplay=SAFE):
    """(moves, singles) of steps that win the board, None if the native check refuses them."""
    cdef Rules rules
    cdef Tally tally
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    if len(steps) % STEP or not replay(
            packed, &rules, autoplay, steps, len(steps) // STEP, &tally):
        return None
    return tally.moves, tally.singles


def perft(bytes packed, bytes tables, int depth):
    """The number of paths of `depth` moves from a position (1 for depth 0)."""
    cdef State state
    cdef Rules rules
    cdef uint64_t paths = 1
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&state, packed)
    if depth > 0:
        with nogil:
            paths = count_paths(&state, &rules, depth)
    return paths


def deal_packed(int64_t first, int64_t step, Py_ssize_t count):
    """52 bytes a deal of first, first + step, ..: its cards in the order they are dealt."""
    cdef bytes packed = PyBytes_FromStringAndSize(NULL, count * DECK)
    cdef uint8_t *order = <uint8_t *>PyBytes_AS_STRING(packed)
    cdef Py_ssize_t index
    with nogil:
        for index in range(count):
            deal_order(<uint64_t>(first + index * step), order + index * DECK)
    return packed


def csv_rows(list columns, list words):
    """Lines of comma-separated values. `columns` are arrays of B, I or Q, equally long; in place of
    words[i], where that is a list of bytes, column i holds indices of it."""
    cdef csv.Column read[csv.MOST_COLUMNS]
    cdef Py_ssize_t row, rows = len(columns[0]), at = 0
    cdef int index, word, count = len(columns)
    cdef const uint8_t[::1] data
    cdef bytes text
    cdef char *out
    for index in range(count):
        read[index].size = columns[index].itemsize
        read[index].words = 0 if words[index] is None else len(words[index])
        for word in range(read[index].words):
            text = words[index][word]
            read[index].word[word] = PyBytes_AS_STRING(text)
            read[index].length[word] = len(text)
        if rows:
            data = memoryview(columns[index]).cast("B")
            read[index].data = &data[0]
    text = PyBytes_FromStringAndSize(NULL, rows * count * (csv.MOST_DIGITS + 1))
    out = PyBytes_AS_STRING(text)
    with nogil:
        for row in range(rows):
            at += csv.write_row(out + at, read, count, row)
    return text[:at]


def find_wanted(bytes sets, int span, uint32_t first, uint32_t last):
    """The numbers of a span that deal as wanted, by the high half (first <= half < last) of the
    state after one step; see dealing.pxd. `sets` holds 52 uint64, a set of cards per card dealt.
    """
    cdef Wanted wanted
    cdef uint32_t half, low
    cdef int64_t number
    if len(sets) != sizeof(Wanted):
        raise ValueError(f"52 sets hold {sizeof(Wanted)} bytes, not {len(sets)}")
    memcpy(&wanted, PyBytes_AS_STRING(sets), sizeof(Wanted))
    found = []
    with nogil:
        for half in range(first, last):
            low = 0
            while True:
                number = next_wanted(&wanted, span, half, &low)
                if number < 0:
                    break
                with gil:
                    found.append(number)
    return found


def plain_verdict(bytes packed, bytes tables, int most):
    """Is the board winnable? By a search without any reduction: every move, home moves by choice,
    positions told apart by the order of columns and cells too. None after `most` positions."""
    cdef State state, after
    cdef Rules rules
    cdef Move moves[MAX_MOVES]
    cdef Undo undo
    cdef uint8_t out[PACKED_MOST]
    cdef int index, count
    check_tables(tables)
    load_rules(&rules, <const uint8_t *>tables)
    load(&state, packed)
    known = {packed}
    left = [packed]
    while left:
        if len(known) > most:
            return None
        load(&state, left.pop())
        if is_won(&state):
            return True
        count = generate(&state, &rules, moves)
        for index in range(count):
            after = state
            apply(&after, moves[index], &undo)
            position = out[:store(&after, out)]
            if position not in known:
                known.add(position)
                left.append(position)
    return False
