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

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from fcfast.native.atomic cimport prefetch
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
from fcfast.native.table cimport Table
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
    NARROWEST = 8           # level of a paced beam
    STEEP = 3               # times as wide as its last is its first: see set_pace()
    AT_FIRST = 500          # positions are reckoned with as if expanded at this speed before
    SPEED_AT_FIRST = 2_000_000  # a second, or the first levels' few would make the next narrow

cdef enum Outcome:
    STOPPED = 0             # by a limit; Watch.reached says which
    FOUND = 1
    NONE_FOUND = 2

cdef struct Position:
    Valued valued
    Key key

cdef struct Candidate:
    Key key
    uint64_t hash
    Move move
    uint16_t score

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
    int width               # of the levels: of all the same, or as the limits allow
    int levels              # at most so many moves
    int likely              # and so many, probably
    double started          # the time at which the first was expanded
    double until            # the time at which it should have ended, 0: no matter
    bint paced              # to end by then, and within the watch's limit of nodes
    int level
    bint complete           # nothing was left out
    uint32_t positions      # of this level
    uint32_t children
    Position *now
    Position *next
    Child *child
    uint64_t *slots         # of the children, by key: see slot_with()
    uint32_t mask
    Step *trail             # per level `most` of them
    uint64_t *seen          # of the trail, all levels, likewise
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
    self.paced = False
    while slots < 2 * CHILDREN * width:
        slots *= 2
    while seen < <int64_t>width * self.levels // 2 * 3:
        seen *= 2
    self.seen_mask = <uint32_t>(seen - 1)
    self.now = <Position *>at
    self.next = self.now + width
    self.child = <Child *>(self.next + width)
    self.trail = <Step *>(self.child + CHILDREN * width)
    self.slots = <uint64_t *>(self.trail + <int64_t>width * (self.levels + 1))
    self.seen = self.slots + slots
    if <uint8_t *>(self.seen + seen) - at > size:
        return False
    self.watch.bytes = <uint8_t *>(self.seen + seen) - at
    return True


cdef inline void pace(Beam *self, double until, int likely) noexcept nogil:
    # Has the search end by then and within the limit of nodes, if the shortest solution has about
    # `likely` levels.
    self.paced = True
    self.until = until
    self.likely = likely


cdef inline void set_pace(Beam *self) noexcept nogil:
    # The width of the next level, so that with the levels after it ever narrower, the first STEEP
    # times as wide as the last, it takes what this one leaves: early, right and wrong look much
    # alike. Of 8,000 nodes that makes 0.18 moves less than one width for all, of 60,000 0.02, of
    # 1,500 none. Where levels are more than was likely, two fifths of those that may follow are
    # reckoned with.
    cdef int levels = max(self.likely - self.level, (self.levels - self.level) * 2 // 5 + 1)
    cdef double slope = (STEEP - 1) / <double>max(levels, self.likely)
    cdef double share = (1 + slope * levels) / (levels + slope * levels * (levels + 1) / 2)
    cdef double room = <double>(self.watch.node_limit - self.watch.nodes)
    cdef double time, speed
    if self.until < self.watch.deadline:
        time = now()
        speed = (self.watch.nodes + AT_FIRST) / (time - self.started + AT_FIRST / SPEED_AT_FIRST)
        room = min(room, (self.until - time) * speed)
    room = max(<double>NARROWEST, (room - self.positions) * share)
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
    memset(self.seen, 0xFF, (<int64_t>self.seen_mask + 1) * sizeof(uint64_t))
    remember(self, 0, &self.now[0].key)
    self.started = now()
    while self.positions and self.level < self.levels:
        self.level += 1
        clear_children(self)
        if expand_level(self):
            return FOUND
        if self.watch.reached:
            return STOPPED
        survive(self)
        if self.paced:
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
    # The children of a position; True if one of them is won. All are valued before the first is
    # looked for among the others, so that memory has been fetched by then: a fifth of the time at
    # width 8,192.
    cdef const Position *position = &self.now[parent]
    cdef const State *state = &position.valued.state
    cdef Move moves[MAX_MOVES]
    cdef Candidate candidates[MAX_MOVES]
    cdef Candidate *candidate = candidates
    cdef Candidate *end
    cdef Move move
    cdef Vector without = fetch(position.valued.sums), sums
    cdef int index, count, card, onto, under, before = NO_CARD
    count = generate(state, &self.rules, moves)
    for index in range(count):
        move = moves[index]
        card = move_card(move)
        onto = move_onto(move)
        under = state.under[card]
        if onto == FLOOR and more_go(self, state, move):
            self.complete = False
            continue
        candidate.move = move
        candidate.key = position.key
        if onto == HOME or goes_if_bare(state, &self.rules, self.policy, under):
            if follow(self, parent, candidate):
                return True
        else:
            if card != before:  # moves of the same run come one after another
                without = lifted(
                    &position.valued, &self.ground, card, last_of(&position.valued, move))
                before = card
            sums = laid(
                &position.valued, &self.ground, card, last_of(&position.valued, move), onto,
                without)
            candidate.score = score(
                self, value_after(&position.valued, &self.ground, card, onto, sums))
            move_key(&candidate.key, &self.codes, card, under, onto)
        if candidate.score >= self.worst:
            self.complete = False
            continue
        candidate.hash = key_hash(&candidate.key)
        prefetch(&self.seen[<uint32_t>candidate.hash & self.seen_mask])
        prefetch(&self.slots[<uint32_t>candidate.hash & self.mask])
        candidate += 1
    end = candidate
    candidate = candidates
    while candidate < end:
        add_child(self, parent, candidate)
        candidate += 1
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


cdef inline bint follow(Beam *self, uint32_t parent, Candidate *candidate) noexcept nogil:
    # A child whose move sends other cards home; True if it is won.
    cdef Valued after = self.now[parent].valued
    cdef Undo undo
    cdef Move next = candidate.move
    while next:
        play(&after, &self.ground, next, &undo)
        move_key(&candidate.key, &self.codes, move_card(next), undo.under, move_onto(next))
        next = next_home_move(&after.state, &self.rules, self.policy)
    if is_won(&after.state):
        self.last.parent = parent
        self.last.move = candidate.move
        return True
    candidate.score = score(self, value(&after, &self.ground))
    return False


cdef inline int score(const Beam *self, int32_t worth) noexcept nogil:
    return max(0, min(SCORES - 1, (worth - self.root_value) // SCORE + SCORE_OF_ROOT))


cdef inline void clear_children(Beam *self) noexcept nogil:
    cdef int64_t slots = 16
    while slots < 2 * CHILDREN * self.width:
        slots *= 2
    self.mask = <uint32_t>(slots - 1)
    self.children = 0
    self.better = 0
    self.worst = SCORES
    memset(self.count, 0, sizeof(self.count))
    memset(self.slots, 0xFF, (<int64_t>self.mask + 1) * sizeof(uint64_t))


cdef inline uint64_t slot_with(uint64_t hash, uint32_t number) noexcept nogil:
    # A slot is a number and the upper half of its key's hash, so that a slot of another key is
    # seldom followed.
    return hash >> 32 << 32 | number


cdef inline void enter(
    uint64_t *slots, uint32_t mask, uint64_t hash, uint32_t number
) noexcept nogil:
    cdef uint32_t slot = <uint32_t>hash & mask
    while slots[slot] != <uint64_t>-1:
        slot = (slot + 1) & mask
    slots[slot] = slot_with(hash, number)


cdef inline void remember(Beam *self, uint32_t step, const Key *key) noexcept nogil:
    self.trail[step].key = key[0]
    enter(self.seen, self.seen_mask, key_hash(key), step)


cdef inline bint holds(
    const uint64_t *slots, uint32_t mask, const Candidate *child, const uint8_t *keys, size_t size
) noexcept nogil:
    # Is the child among the records of that size behind the slots, each with its key first?
    cdef uint32_t slot = <uint32_t>child.hash & mask
    while slots[slot] != <uint64_t>-1:
        if slots[slot] >> 32 == child.hash >> 32 and same_key(
                <const Key *>(keys + size * <uint32_t>slots[slot]), &child.key):
            return True
        slot = (slot + 1) & mask
    return False


cdef inline bint is_known(const Beam *self, const Candidate *child) noexcept nogil:
    # On this level or an earlier one? Without the earlier ones 11 of 100 deals fail at width 64,
    # with them 3.
    return (
        holds(self.seen, self.seen_mask, child, <const uint8_t *>self.trail, sizeof(Step))
        or holds(self.slots, self.mask, child, <const uint8_t *>self.child, sizeof(Child)))


cdef inline void add_child(Beam *self, uint32_t parent, const Candidate *candidate) noexcept nogil:
    cdef int points = candidate.score
    cdef Child *child
    if points < self.worst and is_known(self, candidate):
        return
    if points < self.worst and self.children == <uint32_t>(CHILDREN * self.width):
        keep_best(self)
    if points >= self.worst:
        self.complete = False
        return
    enter(self.slots, self.mask, candidate.hash, self.children)
    child = &self.child[self.children]
    child.key = candidate.key
    child.parent = parent
    child.move = candidate.move
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
    cdef uint32_t index, kept = 0
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
    memset(self.slots, 0xFF, (<int64_t>self.mask + 1) * sizeof(uint64_t))
    for index in range(kept):
        enter(self.slots, self.mask, key_hash(&self.child[index].key), index)


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
