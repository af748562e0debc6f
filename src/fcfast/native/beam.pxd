# Short solutions: a beam. All moves of the best positions of one length, of what they lead to again
# the best, `width` of them; so the first win is the shortest that the beam holds.
#
# A child is valued by the sums of its parent and the move, a record of 24 bytes, and becomes a
# position only if it survives its level. Once `width` better ones are stored, a child is not stored
# at all. Keys are exact, so a beam that never left anything out has proved its length. Runs that go
# into an empty column are as long as they may be, which loses 0.01 moves on deals 101..200.
#
# In singles and under OFF all cards go home as soon as they can, each at the cost of one: what the
# search counts are the other moves. That may miss a shortest solution, never the count.
#
# Memory, from the Table's block:  [ level | next level | children | trail | slots | seen ]

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from fcfast.native.autoplay cimport ALL, goes_if_bare, next_home_move
from fcfast.native.card cimport DECK, FLOOR, HOME, NO_CARD, rank
from fcfast.native.key cimport Codes, Key, key_hash, key_of, make_codes, move_key, same_key
from fcfast.native.move cimport FROM_CELL, Move, move_card, move_onto, move_source
from fcfast.native.movegen cimport MAX_MOVES, Undo, apply, generate
from fcfast.native.net cimport ONE, Net
from fcfast.native.optimal cimport Optimal
from fcfast.native.rules cimport Rules, fills, fits
from fcfast.native.spread cimport Ground
from fcfast.native.state cimport State, is_won
from fcfast.native.table cimport EMPTY, Table
from fcfast.native.valued cimport (
    Valued, laid, last_of, lifted, play, value, value_after, value_root,
)
from fcfast.native.vector cimport Vector, fetch
from fcfast.native.watch cimport Watch, now, tick

cdef enum:
    SCORES = 1024
    SCORE = ONE // 16       # of the net's value
    SCORE_OF_ROOT = 800
    CHILDREN = 4            # room for so many per position of the width
    MOST_LEVELS = 400       # the longest shortest solution known has 74 moves
    NARROWEST = 8           # of a beam that has to hurry

cdef enum Outcome:
    STOPPED = 0             # by a limit; Watch.reached says which
    FOUND = 1
    NONE_FOUND = 2

cdef struct Position:
    Valued valued
    Key key

cdef struct Child:
    Key key
    uint32_t parent
    Move move
    uint16_t score          # lower is better

cdef struct Step:
    Key key
    uint32_t parent
    Move move

cdef struct Beam:
    Rules rules
    Watch *watch
    Table *table
    Codes codes
    Ground ground
    int32_t root_value
    int policy
    int home_cost
    int most                # positions of a level that there is room for
    int width               # of the levels: of all the same, or as the time allows
    int levels              # at most so many moves
    int likely              # and so many, probably
    double until            # the time at which it should have ended, 0: no matter
    int level
    bint complete           # nothing was left out
    uint32_t positions      # of this level
    uint32_t children
    Position *now
    Position *next
    Child *child
    uint32_t *slots
    uint32_t mask
    Step *trail             # per level `most` of them
    uint32_t *seen          # of the trail, all levels, by key
    uint32_t seen_mask
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
    cdef Undo undo
    cdef Move move = next_home_move(root, &self.rules, self.policy)
    while move:
        apply(root, move, &undo)
        move = next_home_move(root, &self.rules, self.policy)
    return given


cdef inline bint set_width(Beam *self, int width, int levels) noexcept nogil:
    # Lays out the memory; False where there is not enough.
    cdef int64_t size = self.table.capacity * <int64_t>sizeof(self.table.nodes[0])
    cdef int64_t slots = 16, seen = 16
    cdef uint8_t *at = <uint8_t *>self.table.nodes
    self.most = self.width = width
    self.levels = max(0, min(levels, MOST_LEVELS))
    self.until = 0
    while slots < 2 * CHILDREN * width:
        slots *= 2
    while seen < <int64_t>width * self.levels // 2 * 3:
        seen *= 2
    self.mask = <uint32_t>(slots - 1)
    self.seen_mask = <uint32_t>(seen - 1)
    self.now = <Position *>at
    self.next = self.now + width
    self.child = <Child *>(self.next + width)
    self.trail = <Step *>(self.child + CHILDREN * width)
    self.slots = <uint32_t *>(self.trail + <int64_t>width * (self.levels + 1))
    self.seen = self.slots + slots
    if <uint8_t *>(self.seen + seen) - at > size:
        return False
    self.watch.bytes = <uint8_t *>(self.seen + seen) - at
    return True


cdef inline void hurry(Beam *self, double until, int likely) noexcept nogil:
    # Has the search end in time, if the shortest solution has about `likely` levels.
    self.until = until
    self.likely = likely


cdef inline void set_pace(Beam *self) noexcept nogil:
    # The width of the next level, and with the same width the levels after it take the time that
    # this one leaves. Where they are more than was likely, two fifths of those that may follow are
    # reckoned with.
    cdef double time = now()
    cdef int levels = max(self.likely - self.level, (self.levels - self.level) * 2 // 5 + 1)
    cdef double room = (self.until - time) / (time - self.watch.started) * self.watch.nodes
    room = max(<double>NARROWEST, (room - self.positions) / levels)
    self.width = <int>min(room, <double>self.most)


cdef inline int search(Beam *self, const State *root) noexcept nogil:
    # From a position in which nothing goes home by itself any more.
    make_codes(&self.codes, &self.rules, root)
    value_root(&self.now[0].valued, &self.ground, root)
    self.root_value = value(&self.now[0].valued, &self.ground)
    key_of(&self.now[0].key, &self.codes, root)
    self.positions = 1
    self.level = 0
    self.complete = True
    memset(self.seen, 0xFF, (<int64_t>self.seen_mask + 1) * sizeof(uint32_t))
    remember(self, 0, &self.now[0].key)
    while self.positions and self.level < self.levels:
        self.level += 1
        clear_children(self)
        if expand_level(self):
            return FOUND
        if self.watch.reached:
            return STOPPED
        survive(self)
        if self.until:
            set_pace(self)
    if self.positions and self.level == MOST_LEVELS:
        self.complete = False
    return NONE_FOUND


cdef inline bint expand_level(Beam *self) noexcept nogil:
    # The children of a level; True if one of them is won.
    cdef uint32_t parent
    for parent in range(self.positions):
        if not tick(self.watch):
            return False
        if expand(self, parent):
            return True
    return False


cdef inline bint expand(Beam *self, uint32_t parent) noexcept nogil:
    # The children of a position; True if one of them is won.
    cdef const Position *position = &self.now[parent]
    cdef const State *state = &position.valued.state
    cdef Move moves[MAX_MOVES]
    cdef Move move
    cdef Key key
    cdef Vector without = fetch(position.valued.sums), sums
    cdef int index, count, card, onto, under, points, before = NO_CARD
    count = generate(state, &self.rules, moves)
    for index in range(count):
        move = moves[index]
        card = move_card(move)
        onto = move_onto(move)
        under = state.under[card]
        if onto == FLOOR and more_go(self, state, move):
            self.complete = False
            continue
        if onto == HOME or goes_if_bare(state, &self.rules, self.policy, under):
            if follow(self, parent, move):
                return True
            continue
        if card != before:  # moves of the same run come one after another
            without = lifted(&position.valued, &self.ground, card, last_of(&position.valued, move))
            before = card
        sums = laid(
            &position.valued, &self.ground, card, last_of(&position.valued, move), onto, without)
        points = score(self, value_after(&position.valued, &self.ground, card, onto, sums))
        if points >= self.worst:
            self.complete = False
            continue
        key = position.key
        move_key(&key, &self.codes, card, under, onto)
        add_child(self, &key, parent, move, points)
    return False


cdef inline bint more_go(const Beam *self, const State *state, Move move) noexcept nogil:
    # Could more cards of the run go into the empty column? Then fewer are not tried.
    cdef int card = move_card(move), under = state.under[card], count
    if move_source(move) == FROM_CELL:
        return False
    count = rank(card) - rank(state.top[move_source(move)]) + 2
    return (
        count <= self.rules.limit[1][state.free_cells][state.empty_columns]
        and fits(&self.rules, card, under) and fills(&self.rules, under))


cdef inline bint follow(Beam *self, uint32_t parent, Move move) noexcept nogil:
    # A child whose move sends other cards home; True if it is won.
    cdef Valued after = self.now[parent].valued
    cdef Key key = self.now[parent].key
    cdef Undo undo
    cdef Move next = move
    cdef int points
    while next:
        play(&after, &self.ground, next, &undo)
        move_key(&key, &self.codes, move_card(next), undo.under, move_onto(next))
        next = next_home_move(&after.state, &self.rules, self.policy)
    if is_won(&after.state):
        self.last.parent = parent
        self.last.move = move
        return True
    points = score(self, value(&after, &self.ground))
    if points < self.worst:
        add_child(self, &key, parent, move, points)
    else:
        self.complete = False
    return False


cdef inline int score(const Beam *self, int32_t worth) noexcept nogil:
    return max(0, min(SCORES - 1, (worth - self.root_value) // SCORE + SCORE_OF_ROOT))


cdef inline void clear_children(Beam *self) noexcept nogil:
    self.children = 0
    self.better = 0
    self.worst = SCORES
    memset(self.count, 0, sizeof(self.count))
    memset(self.slots, 0xFF, (<int64_t>self.mask + 1) * sizeof(uint32_t))


cdef inline void remember(Beam *self, uint32_t step, const Key *key) noexcept nogil:
    cdef uint32_t slot = <uint32_t>key_hash(key) & self.seen_mask
    self.trail[step].key = key[0]
    while self.seen[slot] != EMPTY:
        slot = (slot + 1) & self.seen_mask
    self.seen[slot] = step


cdef inline bint is_seen(const Beam *self, const Key *key) noexcept nogil:
    # On an earlier level? Without this 11 of 100 deals fail at width 64, with it 3.
    cdef uint32_t slot = <uint32_t>key_hash(key) & self.seen_mask
    while self.seen[slot] != EMPTY:
        if same_key(&self.trail[self.seen[slot]].key, key):
            return True
        slot = (slot + 1) & self.seen_mask
    return False


cdef inline void add_child(
    Beam *self, const Key *key, uint32_t parent, Move move, int points
) noexcept nogil:
    cdef uint32_t slot
    cdef Child *child
    if is_seen(self, key):
        return
    slot = <uint32_t>key_hash(key) & self.mask
    while self.slots[slot] != EMPTY:
        if same_key(&self.child[self.slots[slot]].key, key):
            return
        slot = (slot + 1) & self.mask
    if self.children == <uint32_t>(CHILDREN * self.width):
        keep_best(self)
        if points < self.worst:
            add_child(self, key, parent, move, points)
        return
    self.slots[slot] = self.children
    child = &self.child[self.children]
    child.key = key[0]
    child.parent = parent
    child.move = move
    child.score = points
    self.children += 1
    self.count[points] += 1
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
    cdef Move move
    cdef Child *child
    cdef Position *position
    cdef Position *swap
    cdef Step *step = self.trail + <int64_t>self.most * self.level
    keep_best(self)
    for index in range(self.children):
        child = &self.child[index]
        position = &self.next[index]
        position.valued = self.now[child.parent].valued
        position.key = child.key
        move = child.move
        while move:
            play(&position.valued, &self.ground, move, &undo)
            move = next_home_move(&position.valued.state, &self.rules, self.policy)
        remember(self, self.most * self.level + index, &child.key)
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
        moves[level - 1] = self.trail[<int64_t>self.most * level + at].move
        at = self.trail[<int64_t>self.most * level + at].parent
        level -= 1
