# Best-first search with lazy macro moves: one stage of the fast search. Incomplete; finds or fails.
#
# A child is valued without being made: the parent's sums with the few rows that the bare move
# changes, plus one trained row for the macros it is going to set off (a trigger: which of four
# things happen, and to which card laid bare). Only when such a child comes up first is it made and
# played on, and valued exactly; if it is then worse than others, it goes back. Children that set
# nothing off are exact from the start.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from fcfast.native.autoplay cimport ALL
from fcfast.native.card cimport CELL, FLOOR, bit
from fcfast.native.macro cimport (
    CELL_MACROS, CLOSING_MOST, NO_MACROS, Player, RUN_MACROS, carry, play_on, write_record,
)
from fcfast.native.movegen cimport lowest
from fcfast.native.net cimport TRIGGERS, Net, output_row, value_of
from fcfast.native.replay cimport CELL_PLACE, HOME_PLACE, STEP
from fcfast.native.rules cimport Rules, fills, fits, fitted, fitting
from fcfast.native.spread cimport (
    Ground, Spread, copy_spread, lay, lift, moved_sums, run_from, run_of, spread_state,
)
from fcfast.native.state cimport State
from fcfast.native.vector cimport Vector, fetch, keep, minus, plus
from fcfast.native.watch cimport Watch, tick

cdef enum:
    KEYS = 1024             # buckets of the queue
    KEY_OF_ROOT = 256
    KEYS_A_MOVE = 16
    NODES_MOST = 1 << 15    # at most 1 << 16: a child tells its parent in 16 bits
    PENDING_MOST = 1 << 19
    RECORD_MOST = 1 << 18
    SEEN_MOST = 1 << 17
    CHILDREN_MOST = 300
    READY = 0xFFFF          # a child that has been made; `parent` is then its own number
    FIRES = 1 << 11         # in a child's move: it sets off macros
    LAST = 0xFFFFFFFF

cdef enum Finish:
    HALTED = 0              # by a limit
    WON = 1
    FAILED = 2              # nothing left, or the quota spent

cdef struct Stage:
    int quota               # expansions
    int macros
    int policy              # cards that go home by themselves; others may, as moves
    int weight              # of a move made, in keys
    int drop                # children worse than the parent by more keys are left out
    bint choosy             # without moves that are seldom of use
    uint8_t relabel[52]     # the suits exchanged, which changes what the net sees

cdef struct Pending:        # a child not yet made
    uint32_t next           # in its bucket, last in, first out
    uint16_t parent
    uint16_t move           # card, place << 6, FIRES

cdef struct Node:
    Spread spread
    uint32_t recorded       # its first movement in the record
    uint16_t movements
    uint16_t parent
    uint16_t depth
    int16_t key

cdef struct Lazy:
    Player player
    Watch *watch
    const Stage *stage
    uint64_t waiting[16]    # bit per key with children
    uint64_t words          # bit per word of `waiting` that is not zero
    uint32_t bucket[1024]
    Node *nodes
    Pending *pending
    uint32_t *seen          # tags of positions made, in an open-addressing table
    uint32_t seen_mask
    uint32_t seen_count     # tags in it; one slot stays free, or looking for a tag would not end
    uint32_t count          # nodes
    uint32_t pended
    int32_t base            # the key of value 0 among the children of the node being expanded
    int now                 # the key of that node
    int foreseen            # the triggers that the stage's macros know, a mask; row 0 is all zero
    uint64_t pulls          # cards that, laid bare, would take a card from a cell
    uint64_t taken          # cards that fit on one that lies open
    uint64_t draws          # cards that, laid bare, would take a run, if it is not too long
    int32_t root_value
    int64_t children        # counted over all stages, for benches


cdef inline size_t lazy_bytes() noexcept nogil:
    return (
        NODES_MOST * sizeof(Node) + PENDING_MOST * sizeof(Pending)
        + RECORD_MOST * sizeof(uint16_t) + SEEN_MOST * sizeof(uint32_t) + sizeof(Ground)
    )


cdef inline int64_t bytes_held(const Lazy *self) noexcept nogil:
    return (
        self.count * <int64_t>sizeof(Node) + self.pended * <int64_t>sizeof(Pending)
        + self.player.recorded * <int64_t>sizeof(uint16_t) + 4 * (<int64_t>self.seen_mask + 1)
    )


cdef inline void set_up(
    Lazy *self, const Rules *rules, const Net *net, Watch *watch, uint8_t *block
) noexcept nogil:
    # `block` has lazy_bytes(); only what a search touches becomes memory.
    self.player.rules = rules
    self.watch = watch
    self.nodes = <Node *>block
    self.pending = <Pending *>(self.nodes + NODES_MOST)
    self.seen = <uint32_t *>(self.pending + PENDING_MOST)
    self.player.record = <uint16_t *>(self.seen + SEEN_MOST)
    self.player.ground = <Ground *>(self.player.record + RECORD_MOST)
    self.player.ground.net = net


cdef inline int run(Lazy *self, const Stage *stage, const State *state) noexcept nogil:
    cdef uint32_t index = 0
    cdef int left = stage.quota, found
    begin(self, stage, state)
    if self.nodes[0].spread.left == 0:
        return WON
    while left:
        if not tick(self.watch):
            return HALTED
        expand(self, index)
        left -= 1
        found = next_node(self, &index)
        if found != HALTED:
            return found
    return FAILED


cdef inline void begin(Lazy *self, const Stage *stage, const State *state) noexcept nogil:
    cdef Node *root = self.nodes
    cdef uint32_t slots = 1024
    self.stage = stage
    self.player.macros = stage.macros
    self.foreseen = 0 if stage.macros == NO_MACROS else TRIGGERS - 1
    self.player.policy = stage.policy
    self.player.recorded = 0
    self.count = 1
    self.pended = 0
    while slots < 8 * <uint32_t>stage.quota and slots < SEEN_MOST:
        slots *= 2
    self.seen_mask = slots - 1
    self.seen_count = 0
    memset(self.seen, 0, slots * sizeof(uint32_t))
    memset(self.waiting, 0, sizeof(self.waiting))
    memset(self.bucket, 0xFF, sizeof(self.bucket))      # LAST
    self.words = 0
    spread_state(&root.spread, self.player.rules, self.player.ground, state, stage.relabel)
    play_on(&self.player, &root.spread, CELL)
    root.recorded = root.parent = root.depth = 0
    root.movements = self.player.recorded
    root.key = self.now = KEY_OF_ROOT
    self.root_value = node_value(self, root)
    is_new(self, fetch(root.spread.sums))


cdef inline int32_t node_value(const Lazy *self, const Node *node) noexcept nogil:
    return value_of(self.player.ground.net, fetch(node.spread.sums), output_row(
        self.player.ground.net, self.player.rules.cells, node.spread.used, node.spread.empty))


cdef inline int key_of_value(int32_t value) noexcept nogil:
    return value >> 9       # ONE / KEYS_A_MOVE


# The queue


cdef inline void push(Lazy *self, int key, uint32_t node, int move) noexcept nogil:
    cdef Pending *child = self.pending + self.pended
    key = min(max(key, 0), KEYS - 1)
    child.next = self.bucket[key]
    child.parent = <uint16_t>node
    child.move = <uint16_t>move
    self.bucket[key] = self.pended
    self.pended += 1
    self.waiting[key >> 6] |= bit(key & 63)
    self.words |= bit(key >> 6)


cdef inline int lowest_key(const Lazy *self) noexcept nogil:
    cdef int word
    if self.words == 0:
        return KEYS
    word = lowest(self.words)
    return 64 * word + lowest(self.waiting[word])


cdef inline Pending *pop(Lazy *self) noexcept nogil:
    cdef int key = lowest_key(self)
    cdef Pending *child
    if key == KEYS:
        return NULL
    child = self.pending + self.bucket[key]
    # Without a branch: whether a bucket ends cannot be foreseen.
    self.waiting[key >> 6] ^= <uint64_t>(child.next == LAST) << (key & 63)
    self.words ^= <uint64_t>(self.waiting[key >> 6] == 0) << (key >> 6)
    self.bucket[key] = child.next
    self.now = key
    return child


cdef inline int next_node(Lazy *self, uint32_t *index) noexcept nogil:
    # The node to expand next, made if need be: HALTED, or how the search ends.
    cdef Pending *child
    cdef Node *node
    while True:
        child = pop(self)
        if child == NULL or no_room(self):
            return FAILED
        if child.move == READY:
            index[0] = child.parent
            return HALTED
        node = make(self, child)
        if node == NULL:
            continue
        index[0] = self.count - 1
        if node.spread.left == 0:
            return WON
        if child.move & FIRES:
            node.key = KEY_OF_ROOT + node.depth * self.stage.weight + key_of_value(
                node_value(self, node) - self.root_value)
            if node.key > lowest_key(self):
                push(self, node.key, self.count - 1, READY)
                continue
            self.now = node.key
        return HALTED


cdef inline bint no_room(const Lazy *self) noexcept nogil:
    return (
        self.count >= NODES_MOST or self.seen_count + 2 > self.seen_mask
        or self.pended + CHILDREN_MOST > PENDING_MOST
        or self.player.recorded + CLOSING_MOST > RECORD_MOST
    )


cdef inline Node *make(Lazy *self, const Pending *child) noexcept nogil:
    # The node of a child, played on; NULL if the position is known.
    cdef Node *node = self.nodes + self.count
    cdef const Spread *before = &self.nodes[child.parent].spread
    cdef int card = child.move & 63, place = (child.move >> 6) & 31, count = run_of(before, card)
    cdef Vector sums = moved_sums(before, self.player.ground, card, count, place)
    if not child.move & FIRES and not is_new(self, sums):
        return NULL
    copy_spread(&node.spread, before)
    keep(node.spread.sums, sums)
    node.recorded = self.player.recorded
    node.parent = child.parent
    node.depth = self.nodes[child.parent].depth + 1
    node.key = self.now
    carry(&self.player, &node.spread, card, count, place)
    if child.move & FIRES:
        play_on(&self.player, &node.spread, card if place == CELL_PLACE else CELL)
        if not is_new(self, fetch(node.spread.sums)):
            self.player.recorded = node.recorded
            return NULL
    node.movements = self.player.recorded - node.recorded
    self.count += 1
    return node


cdef inline bint is_new(Lazy *self, Vector sums) noexcept nogil:
    # The sums tell positions apart: equal ones have equal sums, others nearly never.
    cdef uint64_t part[4]
    cdef uint64_t hash
    cdef uint32_t slot, tag
    keep(<int16_t *>part, sums)
    hash = (
        part[0] * <uint64_t>0x9E3779B97F4A7C15
        ^ (part[1] * <uint64_t>0xD6E8FEB86659FD93 >> 1)
        ^ (part[2] * <uint64_t>0xA0761D6478BD642F >> 2)
        ^ (part[3] * <uint64_t>0xE7037ED1A0B428DB >> 3)
    )
    hash = (hash ^ hash >> 32) * <uint64_t>0x9E3779B97F4A7C15
    tag = <uint32_t>(hash >> 32) | 1
    slot = <uint32_t>hash & self.seen_mask
    while self.seen[slot]:
        if self.seen[slot] == tag:
            return False
        slot = (slot + 1) & self.seen_mask
    self.seen[slot] = tag
    self.seen_count += 1
    return True


# Children


cdef inline void expand(Lazy *self, uint32_t index) noexcept nogil:
    # Values and queues the children.
    cdef const Spread *spread = &self.nodes[index].spread
    cdef uint32_t pended = self.pended
    cdef const Rules *rules = self.player.rules
    self.pulls = fitted(rules, spread.celled) if self.player.macros >= CELL_MACROS else 0
    self.taken = fitting(rules, spread.tops) if self.player.macros == RUN_MACROS else 0
    self.draws = fitted(rules, spread.heads) if self.player.macros == RUN_MACROS else 0
    self.base = KEY_OF_ROOT + (self.nodes[index].depth + 1) * self.stage.weight
    if spread.free:
        to_cells(self, index, spread)
    onto_columns(self, index, spread)
    if spread.empty:
        to_empty_column(self, index, spread)
    if self.stage.policy != ALL:
        to_home(self, index, spread)
    self.children += self.pended - pended


cdef inline void offer(
    Lazy *self, uint32_t parent, Vector sums, int card, int place, int fired, int bared,
    int used, int empty
) noexcept nogil:
    # Queues a child by its value.
    cdef int key
    if fired:
        sums = plus(sums, fetch(self.player.ground.net.trigger[fired & self.foreseen][bared]))
    key = self.base + key_of_value(value_of(self.player.ground.net, sums, output_row(
        self.player.ground.net, self.player.rules.cells, used, empty)) - self.root_value)
    if key <= self.now + self.stage.drop:
        push(self, key, parent, card | place << 6 | (fired != 0) * FIRES)


cdef inline int fires(
    const Lazy *self, const Spread *spread, int bared, int limit
) noexcept nogil:
    # What a card laid bare sets off: it goes home (1), a card comes onto it from a cell (2), a run
    # of at most `limit` cards does (4).
    cdef int fired = (spread.due >> bared) & 1 | ((self.pulls >> bared) & 1) << 1
    cdef uint64_t heads
    if (self.draws >> bared) & 1:
        heads = self.player.rules.takes[bared] & spread.heads
        while heads:
            if run_from(spread, lowest(heads)) <= limit:
                return fired | 4
            heads &= heads - 1
    return fired


cdef inline int run_fires(
    const Lazy *self, const Spread *spread, const uint8_t *cards, int index, uint64_t tops,
    int limit
) noexcept nogil:
    # 8 if the run laid bare, which ends at that card of a column, goes onto another column.
    cdef int head = index
    if not spread.heads & bit(cards[index + 1]):
        return 0
    while fits(self.player.rules, cards[head], cards[head - 1]):
        head -= 1
    return (
        index - head < limit and (self.taken & bit(cards[head])) != 0
        and (self.player.rules.fits[cards[head]] & tops) != 0
    ) << 3


cdef inline void to_cells(Lazy *self, uint32_t parent, const Spread *spread) noexcept nogil:
    # Choosy: the last card of a run only if that sets something off, a fifth fewer children.
    cdef const Net *net = self.player.ground.net
    cdef const Rules *rules = self.player.rules
    cdef int limit = rules.limit[0][rules.cells - spread.used - 1][spread.empty]
    cdef int column, height, card, bared, fired
    cdef Vector sums
    for column in range(self.player.rules.columns):
        height = spread.height[column]
        if height == 0:
            continue
        card = spread.column[column][height]
        bared = spread.column[column][height - 1]
        fired = 0
        if bared != FLOOR:
            fired = fires(self, spread, bared, limit)
            fired |= run_fires(
                self, spread, spread.column[column], height - 1, spread.tops & ~bit(card), limit)
            if self.stage.choosy and not fired and not spread.heads & bit(card):
                continue
        sums = lift(spread, self.player.ground, card, 1, fetch(spread.sums))
        sums = plus(sums, fetch(net.on[card][CELL]))
        offer(
            self, parent, sums, card, CELL_PLACE, fired, bared,
            spread.used + 1, spread.empty + (bared == FLOOR))


cdef inline void onto_columns(Lazy *self, uint32_t parent, const Spread *spread) noexcept nogil:
    cdef const Rules *rules = self.player.rules
    cdef uint64_t sources = spread.movable | spread.celled, cards
    cdef uint64_t tops = spread.tops & fitted(rules, sources)
    cdef int limit = rules.limit[0][rules.cells - spread.used][spread.empty], onto, card
    while tops:
        onto = lowest(tops)
        tops &= tops - 1
        cards = rules.takes[onto] & sources
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            if spread.celled & bit(card):
                from_cell(self, parent, spread, card, spread.where[onto])
            else:
                from_column(
                    self, parent, spread, card, spread.where[onto], spread.tops & ~bit(onto), limit)


cdef inline void from_cell(
    Lazy *self, uint32_t parent, const Spread *spread, int card, int place
) noexcept nogil:
    # Choosy: only if that sets something off. Into an empty column never else, if there are macros.
    cdef const Net *net = self.player.ground.net
    cdef int height = spread.height[place]
    cdef const Rules *rules = self.player.rules
    cdef int limit = rules.limit[0][rules.cells - spread.used + 1][spread.empty - (height == 0)]
    cdef int fired = fires(self, spread, card, limit) & ~1
    cdef Vector sums
    if not fired and (self.stage.choosy or (height == 0 and self.player.macros != NO_MACROS)):
        return
    sums = minus(fetch(spread.sums), fetch(net.on[card][CELL]))
    sums = lay(spread, self.player.ground, card, 1, place, sums)
    offer(
        self, parent, sums, card, place, fired, card,
        spread.used - 1, spread.empty - (height == 0))


cdef inline void from_column(
    Lazy *self, uint32_t parent, const Spread *spread, int card, int place, uint64_t tops, int limit
) noexcept nogil:
    cdef int source = spread.where[card], count = run_from(spread, card), fired = 0, bared, under
    cdef const uint8_t *cards = spread.column[source]
    cdef Vector sums
    if count > limit:
        return
    under = spread.height[source] - count
    bared = cards[under]
    if bared != FLOOR:
        limit = self.player.rules.limit[0][self.player.rules.cells - spread.used][
            spread.empty - (spread.height[place] == 0)]
        fired = fires(self, spread, bared, limit)
        fired |= run_fires(self, spread, cards, under, tops, limit)
    sums = lift(spread, self.player.ground, card, count, fetch(spread.sums))
    sums = lay(spread, self.player.ground, card, count, place, sums)
    offer(
        self, parent, sums, card, place, fired, bared, spread.used,
        spread.empty + (bared == FLOOR) - (spread.height[place] == 0))


cdef inline void to_empty_column(Lazy *self, uint32_t parent, const Spread *spread) noexcept nogil:
    # Of each run as many cards as go; choosy, only whole ones.
    cdef const Rules *rules = self.player.rules
    cdef uint64_t heads = spread.heads, cards = spread.celled
    cdef int limit = rules.limit[1][rules.cells - spread.used][spread.empty]
    cdef int hole = 0, head, source, count
    while spread.height[hole]:
        hole += 1
    while heads:
        head = lowest(heads)
        heads &= heads - 1
        source = spread.where[head]
        count = run_from(spread, head)
        if count == spread.height[source]:
            continue
        if count > limit:
            if self.stage.choosy or limit == 0:
                continue
            head = spread.column[source][spread.height[source] - limit + 1]
        if fills(rules, head):
            from_column(self, parent, spread, head, hole, spread.tops, limit)
    while cards:
        head = lowest(cards)
        cards &= cards - 1
        if fills(rules, head):
            from_cell(self, parent, spread, head, hole)


cdef inline void to_home(Lazy *self, uint32_t parent, const Spread *spread) noexcept nogil:
    # Cards that may go home but did not by the policy.
    cdef const Net *net = self.player.ground.net
    cdef uint64_t cards = spread.due & (spread.tops | spread.celled)
    cdef int card, bared
    cdef Vector sums
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if spread.celled & bit(card):
            sums = minus(fetch(spread.sums), fetch(net.on[card][CELL]))
            offer(self, parent, sums, card, HOME_PLACE, 1, card, spread.used - 1, spread.empty)
        else:
            bared = spread.column[spread.where[card]][spread.height[spread.where[card]] - 1]
            sums = lift(spread, self.player.ground, card, 1, fetch(spread.sums))
            offer(
                self, parent, sums, card, HOME_PLACE, 1, card,
                spread.used, spread.empty + (bared == FLOOR))


# The way out


cdef inline int won_steps(const Lazy *self) noexcept nogil:
    # How many steps the solution found has.
    cdef uint32_t index = self.count - 1
    cdef int count = self.nodes[0].movements
    while index:
        count += self.nodes[index].movements
        index = self.nodes[index].parent
    return count


cdef inline void write_won(const Lazy *self, uint8_t *steps, int count) noexcept nogil:
    cdef uint32_t index = self.count - 1
    cdef const Node *node
    while True:
        node = self.nodes + index
        count -= node.movements
        write_record(&self.player, node.recorded, node.movements, steps + STEP * count)
        if index == 0:
            return
        index = node.parent
