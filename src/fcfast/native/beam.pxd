# Short solutions: a beam. All moves of the best positions of one length, of what they lead to again
# the best, `width` of them; so the first win is the shortest that the beam holds.
#
# A child is a record of 24 bytes and becomes a position only if it survives its level. Once `width`
# better ones are stored, a child is not stored at all. Keys are exact, so a beam that never left
# anything out has proved its length.
#
# In singles and under OFF all cards go home as soon as they can, each at the cost of one: what the
# search counts are the other moves. That may miss a shortest solution, never the count.
#
# Memory, from the Table's block:  [ level | next level | children | slots | trail ]

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from fcfast.native.autoplay cimport ALL, next_home_move
from fcfast.native.card cimport DECK
from fcfast.native.evaluate cimport disorder
from fcfast.native.key cimport Codes, Key, key_hash, key_of, make_codes, move_key, same_key
from fcfast.native.move cimport Move, move_card, move_onto
from fcfast.native.movegen cimport MAX_MOVES, Undo, apply, generate, take_back
from fcfast.native.optimal cimport Optimal
from fcfast.native.rules cimport Rules
from fcfast.native.state cimport State, is_won
from fcfast.native.table cimport EMPTY, Table
from fcfast.native.watch cimport MEMORY, Watch, tick

cdef enum:
    SCORES = 1024
    CHILDREN = 4            # room for so many per position of the width
    MOST_LEVELS = 400       # the longest shortest solution known has 74 moves

cdef enum Outcome:
    STOPPED = 0             # by a limit; Watch.reached says which
    FOUND = 1
    NONE_FOUND = 2

cdef struct Position:
    State state
    Key key

cdef struct Child:
    Key key
    uint32_t parent
    Move move
    uint16_t score          # lower is better

cdef struct Step:
    uint32_t parent
    Move move

cdef struct Beam:
    Rules rules
    Watch *watch
    Table *table
    Codes codes
    int policy
    int home_cost
    int width
    int levels              # at most so many moves
    int level
    bint complete           # nothing was left out
    uint32_t positions      # of this level
    uint32_t children
    Position *now
    Position *next
    Child *child
    uint32_t *slots
    uint32_t mask
    Step *trail             # per level `width` of them
    int worst               # children must score lower
    uint32_t count[1024]    # children by score
    uint32_t better         # children that score lower than `worst`
    Step last               # the winning move


cdef inline void set_metric(Beam *self, const Optimal *shortest) noexcept nogil:
    # What optimal.set_metric() chose, but all cards go home where that costs the same.
    self.rules = shortest.rules
    self.policy = ALL if shortest.home_cost else shortest.policy
    self.home_cost = shortest.home_cost


cdef inline int settle(const Beam *self, State *root) noexcept nogil:
    # Plays home what goes by itself; returns what cards going home will cost in all.
    cdef int given = self.home_cost * (
        DECK - (root.home[0] + root.home[1] + root.home[2] + root.home[3]))
    play_home(self, root)
    return given


cdef inline bint set_width(Beam *self, int width, int levels) noexcept nogil:
    # Lays out the memory; False where there is not enough.
    cdef int64_t size = self.table.capacity * <int64_t>sizeof(self.table.nodes[0])
    cdef uint8_t *at = <uint8_t *>self.table.nodes
    cdef uint32_t slots = 16
    while slots < 2 * CHILDREN * width:
        slots *= 2
    self.width = width
    self.levels = max(0, min(levels, MOST_LEVELS))
    self.mask = slots - 1
    self.now = <Position *>at
    self.next = self.now + width
    self.child = <Child *>(self.next + width)
    self.trail = <Step *>(self.child + CHILDREN * width)
    self.slots = <uint32_t *>(self.trail + <int64_t>width * (self.levels + 1))
    if <uint8_t *>(self.slots + slots) - at > size:
        return False
    self.watch.bytes = <uint8_t *>(self.slots + slots) - at
    return True


cdef inline int search(Beam *self, const State *root) noexcept nogil:
    # From a position in which nothing goes home by itself any more.
    make_codes(&self.codes, &self.rules, root)
    self.now[0].state = root[0]
    key_of(&self.now[0].key, &self.codes, root)
    self.positions = 1
    self.level = 0
    self.complete = True
    while self.positions and self.level < self.levels:
        self.level += 1
        clear_children(self)
        if expand(self):
            return FOUND
        if self.watch.reached:
            return STOPPED
        survive(self)
    if self.positions and self.level == MOST_LEVELS:
        self.complete = False
    return NONE_FOUND


cdef inline bint expand(Beam *self) noexcept nogil:
    # The children of a level; True if one of them is won.
    cdef Move moves[MAX_MOVES]
    cdef State *state
    cdef uint32_t parent
    cdef int index, count
    for parent in range(self.positions):
        if not tick(self.watch):
            return False
        state = &self.now[parent].state
        count = generate(state, &self.rules, moves)
        for index in range(count):
            if try_move(self, parent, moves[index]):
                return True
    return False


cdef inline bint try_move(Beam *self, uint32_t parent, Move move) noexcept nogil:
    # True if the move wins.
    cdef State *state = &self.now[parent].state
    cdef State after
    cdef Undo undo
    cdef Key key = self.now[parent].key
    cdef bint won = False
    apply(state, move, &undo)
    if next_home_move(state, &self.rules, self.policy):
        after = state[0]
        play_home(self, &after)
        if is_won(&after):
            won = True
        else:
            key_of(&key, &self.codes, &after)
            add_child(self, &key, parent, move, score(self, &after))
    elif is_won(state):
        won = True
    else:
        move_key(&key, &self.codes, move_card(move), undo.under, move_onto(move))
        add_child(self, &key, parent, move, score(self, state))
    take_back(state, move, &undo)
    if won:
        self.last.parent = parent
        self.last.move = move
    return won


cdef inline void play_home(const Beam *self, State *state) noexcept nogil:
    cdef Undo undo
    cdef Move move = next_home_move(state, &self.rules, self.policy)
    while move:
        apply(state, move, &undo)
        move = next_home_move(state, &self.rules, self.policy)


cdef inline int score(const Beam *self, const State *state) noexcept nogil:
    return max(0, min(SCORES - 1, 4 * disorder(state, &self.rules)))


cdef inline void clear_children(Beam *self) noexcept nogil:
    self.children = 0
    self.better = 0
    self.worst = SCORES
    memset(self.count, 0, sizeof(self.count))
    memset(self.slots, 0xFF, (<int64_t>self.mask + 1) * sizeof(uint32_t))


cdef inline void add_child(
    Beam *self, const Key *key, uint32_t parent, Move move, int value
) noexcept nogil:
    cdef uint32_t slot
    cdef Child *child
    if value >= self.worst:
        self.complete = False
        return
    slot = <uint32_t>key_hash(key) & self.mask
    while self.slots[slot] != EMPTY:
        if same_key(&self.child[self.slots[slot]].key, key):
            return
        slot = (slot + 1) & self.mask
    if self.children == <uint32_t>(CHILDREN * self.width):
        keep_best(self)
        add_child(self, key, parent, move, value)
        return
    self.slots[slot] = self.children
    child = &self.child[self.children]
    child.key = key[0]
    child.parent = parent
    child.move = move
    child.score = value
    self.children += 1
    self.count[value] += 1
    self.better += 1
    # As long as the others fill the width, the worst are none of the best.
    while self.better - self.count[self.worst - 1] >= <uint32_t>self.width:
        self.worst -= 1
        self.better -= self.count[self.worst]
        if self.count[self.worst]:
            self.complete = False


cdef inline void keep_best(Beam *self) noexcept nogil:
    # Drops the children that are none of the best `width`, the later ones of the worst score first.
    cdef uint32_t index, kept = 0, slot
    cdef int64_t ties
    if self.children <= <uint32_t>self.width:
        return
    ties = self.width - (<int64_t>self.better - self.count[self.worst - 1])
    if self.better > <uint32_t>self.width:
        self.complete = False
    for index in range(self.children):
        if self.child[index].score >= self.worst:
            continue
        if self.child[index].score == self.worst - 1:
            ties -= 1
            if ties < 0:
                continue
        self.child[kept] = self.child[index]
        kept += 1
    self.children = kept
    if kept == <uint32_t>self.width:
        self.count[self.worst - 1] = kept - (self.better - self.count[self.worst - 1])
        self.better = kept
    memset(self.slots, 0xFF, (<int64_t>self.mask + 1) * sizeof(uint32_t))
    for index in range(kept):
        slot = <uint32_t>key_hash(&self.child[index].key) & self.mask
        while self.slots[slot] != EMPTY:
            slot = (slot + 1) & self.mask
        self.slots[slot] = index


cdef inline void survive(Beam *self) noexcept nogil:
    # The best children become the next level.
    cdef uint32_t index
    cdef Undo undo
    cdef Child *child
    cdef Position *position
    cdef Position *swap
    cdef Step *step = self.trail + <int64_t>self.width * self.level
    keep_best(self)
    for index in range(self.children):
        child = &self.child[index]
        position = &self.next[index]
        position.state = self.now[child.parent].state
        position.key = child.key
        apply(&position.state, child.move, &undo)
        play_home(self, &position.state)
        step[index].parent = child.parent
        step[index].move = child.move
    self.positions = self.children
    swap = self.now
    self.now = self.next
    self.next = swap


cdef inline void path(const Beam *self, Move *moves) noexcept nogil:
    # The winning moves, `level` of them, without those made by themselves.
    cdef int level = self.level - 1
    cdef uint32_t at = self.last.parent
    if level < 0:
        return
    moves[level] = self.last.move
    while level:
        moves[level - 1] = self.trail[<int64_t>self.width * level + at].move
        at = self.trail[<int64_t>self.width * level + at].parent
        level -= 1
