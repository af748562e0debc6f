# The complete search: best position first, every position once, exactly. Run dry, it is a proof.
#
# What it leaves out cannot lose a win: moves that lead to a position seen before (keys are exact,
# columns and cells by number do not matter to the rules), and waiting with a card that may go home
# under the safe policy (autoplay.pxd has the source). Under the policy ALL the verdict is about
# the game in which every card goes home as soon as it can.

from libc.stdint cimport uint32_t
from libc.string cimport memset

from fcfast.native.autoplay cimport goes_if_bare, next_home_move
from fcfast.native.card cimport HOME
from fcfast.native.evaluate cimport disorder
from fcfast.native.key cimport Codes, Key, key_of, make_codes, move_key, state_of
from fcfast.native.move cimport Move, move_card, move_onto
from fcfast.native.movegen cimport MAX_MOVES, Undo, apply, generate, take_back
from fcfast.native.rules cimport Rules
from fcfast.native.state cimport State, is_won
from fcfast.native.table cimport EMPTY, Node, Table, add, bytes_used, empty, is_full
from fcfast.native.watch cimport MEMORY, Watch, tick

cdef enum:
    BUCKETS = 1024
    DEEPEST = 0xFFFF
    # Units of disorder a move: 1, 2, 3, 4 need 811, 1402, 765, 3290 expansions on average (capped
    # at 100,000) over FreeCell deals 40001..40100, and leave 6, 4, 2, 2 of thirty 2-cell deals
    # open. Without it the search dives thousands of moves deep.
    DEPTH_WEIGHT = 3

cdef enum Outcome:
    STOPPED = 0     # by a limit; Watch.reached says which
    FOUND = 1
    NONE_LEFT = 2

cdef struct Exhaustive:
    const Rules *rules
    Watch *watch
    Table *table
    int policy              # SAFE, or ALL where the game is played under it
    Codes codes
    uint32_t bucket[1024]   # last in, first out
    int lowest              # no bucket below holds anything
    uint32_t won            # the node of the solved position


cdef inline int search(Exhaustive *self, const State *root) noexcept nogil:
    cdef State state = root[0]
    cdef Key key
    cdef Move moves[MAX_MOVES]
    cdef int index, count
    cdef uint32_t node
    make_codes(&self.codes, self.rules, root)
    empty(self.table)
    memset(self.bucket, 0xFF, sizeof(self.bucket))
    self.lowest = BUCKETS
    self.won = EMPTY
    play_home(self, &state)
    key_of(&key, &self.codes, &state)
    queue(self, &state, add(self.table, &key), EMPTY, 0)
    while self.won == EMPTY:
        node = next_node(self)
        if node == EMPTY:
            return NONE_LEFT
        if not tick(self.watch):
            return STOPPED
        state_of(&state, &self.codes, &self.table.nodes[node].key, root.columns, root.cells)
        count = generate(&state, self.rules, moves)
        for index in range(count):
            if is_full(self.table):
                self.watch.reached = MEMORY
                return STOPPED
            try_move(self, &state, node, moves[index])
        self.watch.bytes = bytes_used(self.table)
    return FOUND


cdef inline void try_move(
    Exhaustive *self, State *state, uint32_t parent, Move move
) noexcept nogil:
    # Most children are known: where nothing goes home by itself the key tells without the move.
    cdef int card = move_card(move), onto = move_onto(move), under = state.under[card]
    cdef Undo undo
    cdef State after
    cdef Key key
    cdef uint32_t node
    if onto == HOME or goes_if_bare(state, self.rules, self.policy, under):
        after = state[0]
        apply(&after, move, &undo)
        play_home(self, &after)
        key_of(&key, &self.codes, &after)
        node = add(self.table, &key)
        if node != EMPTY:
            queue(self, &after, node, parent, move)
        return
    key = self.table.nodes[parent].key
    move_key(&key, &self.codes, card, under, onto)
    node = add(self.table, &key)
    if node != EMPTY:
        apply(state, move, &undo)
        queue(self, state, node, parent, move)
        take_back(state, move, &undo)


cdef inline void play_home(Exhaustive *self, State *state) noexcept nogil:
    cdef Undo undo
    cdef Move move = next_home_move(state, self.rules, self.policy)
    while move:
        apply(state, move, &undo)
        move = next_home_move(state, self.rules, self.policy)


cdef inline void queue(
    Exhaustive *self, const State *state, uint32_t index, uint32_t parent, Move move
) noexcept nogil:
    # Queues a position that has just been added.
    cdef Node *node = &self.table.nodes[index]
    cdef int bucket
    node.parent = parent
    node.move = move
    node.depth = 0
    if parent != EMPTY:
        node.depth = min(self.table.nodes[parent].depth + 1, DEEPEST)
    if is_won(state):
        self.won = index
    bucket = disorder(state, self.rules) + DEPTH_WEIGHT * node.depth
    bucket = max(0, min(BUCKETS - 1, bucket))
    node.next = self.bucket[bucket]
    self.bucket[bucket] = index
    self.lowest = min(self.lowest, bucket)


cdef inline uint32_t next_node(Exhaustive *self) noexcept nogil:
    cdef uint32_t index
    while self.lowest < BUCKETS and self.bucket[self.lowest] == EMPTY:
        self.lowest += 1
    if self.lowest == BUCKETS:
        return EMPTY
    index = self.bucket[self.lowest]
    self.bucket[self.lowest] = self.table.nodes[index].next
    return index
