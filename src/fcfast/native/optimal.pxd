# A shortest solution, with proof: A* with exact keys over the bound of unlimited cells.
#
# Positions wait in buckets by f = cost so far + bound, then by the bound, last in first out. What
# cannot beat the best solution known is never stored; once no bucket below its length holds
# anything, it is proved shortest. At any moment the lowest f is a proved lower bound.
#
# What costs: a move 1 (in the metric of singles: a run what its cards cost one by one; only house
# rules let a run go that single cards cannot follow, so under the usual ones runs are left out). A
# card that goes home by itself costs `home_cost`: nothing under the policy that is asked for; 1 in
# singles and under OFF, where the search may play home what is SAFE, since every card goes home
# once and at that moment it cannot be of use any more.

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from fcfast.native.atomic cimport prefetch
from fcfast.native.autoplay cimport ALL, OFF, SAFE, next_home_move
from fcfast.native.bound cimport (
    ENDLESS, Bound, Entry, Relaxed, bare, consult, extra, forget, helps, is_tried, lay_out,
    lay_run, prepare, relax, settle, total, widen,
)
from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, bit
from fcfast.native.key cimport Codes, Key, key_of, make_codes, move_key, state_of
from fcfast.native.move cimport FROM_CELL, Move, move_card, move_onto, move_source
from fcfast.native.movegen cimport MAX_MOVES, Undo, apply, generate, is_due, take_back
from fcfast.native.rules cimport Rules
from fcfast.native.state cimport State
from fcfast.native.table cimport (
    EMPTY, Node, Table, add, bytes_used, empty, expect, find, is_full, replace,
)
from fcfast.native.watch cimport MEMORY, Watch, tick

cdef enum:
    FS = 256
    HS = 128
    MOST_ENTRIES = 1 << 22  # 96 MB; a quarter of it costs 15 % more time on deal 4
    FEW_ENTRIES = 1 << 9
    UNKNOWN = -1
    REPLACED = 0xFFFF       # depth of a node that was reached again at less cost
    ON_PATH = 0xFFFFFFFE    # parent of a node that lies on a shortest solution

cdef struct Link:
    uint32_t node
    uint32_t next
    uint32_t move           # that leads from the one to the other

cdef struct Links:
    Link *link
    uint32_t count, capacity

cdef struct Child:
    Key key
    Move move
    uint16_t cost           # so far
    uint8_t weight          # of the move alone
    uint8_t left            # cards not home
    int8_t lower            # its bound is no less; UNKNOWN at first

cdef struct Optimal:
    Rules rules
    Watch *watch
    Table *table
    Bound *bound
    Codes codes
    bint singles
    bint house_runs         # runs that single cards could not carry
    bint selective          # the bound knows of cards that do not go home by themselves
    int policy              # what goes home by itself in the search
    int home_cost           # of each card that does
    uint32_t bucket[256][128]
    int first               # f of the first row
    int lowest_f            # no bucket below (lowest_f, lowest_h) holds anything
    int lowest_h
    int best                # shorter solutions are looked for
    bint every              # or all as short as the best
    uint32_t won            # its node; EMPTY: it was given
    # The position being expanded
    State state
    uint32_t node
    Key key
    int cost
    int left                # cards not home
    int extra
    int8_t without[52]      # the bound if the run from this card were in cells, UNKNOWN at first


cdef inline void set_metric(
    Optimal *self, const Rules *rules, int policy, bint singles
) noexcept nogil:
    cdef int free, empty_columns, index
    self.rules = rules[0]
    self.singles = singles
    self.policy = SAFE if singles or policy == OFF else policy
    self.home_cost = singles or policy == OFF
    self.house_runs = singles and rules.cost[0][0][2][0][0] != 0
    if singles and not self.house_runs:
        for index in range(2):
            for free in range(11):
                for empty_columns in range(14):
                    self.rules.limit[index][free][empty_columns] = min(
                        1, rules.limit[index][free][empty_columns])


cdef inline void set_bound(Optimal *self, const State *root, uint32_t most) noexcept nogil:
    # For positions of this deal. What the bound remembers takes the room of the table's last nodes,
    # at most an eighth, until free_bound().
    cdef int card
    cdef uint32_t entries = 256
    while entries < most and 8 * entries <= self.table.capacity:
        entries *= 2
    self.bound.most = entries
    self.table.capacity -= entries
    self.bound.entries = <Entry *>(self.table.nodes + self.table.capacity)
    forget(self.bound)
    make_codes(&self.codes, &self.rules, root)
    prepare(
        self.bound, &self.rules, &self.codes, ALL if self.home_cost else self.policy,
        not self.singles)
    self.selective = False
    for card in range(DECK):
        if self.bound.needs[card]:
            self.selective = True


cdef inline void free_bound(Optimal *self) noexcept nogil:
    self.table.capacity += <uint32_t>self.bound.most


cdef inline int root_bound(Optimal *self, const State *root) noexcept nogil:
    # No solution is shorter.
    set_bound(self, root, FEW_ENTRIES)
    begin(self, root)
    free_bound(self)
    return self.first


cdef inline bint search(Optimal *self, const State *root, int best) noexcept nogil:
    # True if the search ended by itself: then no solution is shorter than self.best, which is
    # `best` where `won` is EMPTY.
    cdef bint ended
    set_bound(self, root, MOST_ENTRIES)
    self.best = best
    self.every = False
    self.won = EMPTY
    ended = run(self, root)
    free_bound(self)
    return ended


cdef inline bint search_all(
    Optimal *self, const State *root, int length, Links *links
) noexcept nogil:
    # The moves on all shortest solutions, `length` being theirs. False at a limit.
    cdef bint ended
    set_bound(self, root, MOST_ENTRIES)
    self.best = length + 1
    self.every = True
    self.won = EMPTY
    links.count = links.capacity = 0
    links.link = NULL
    ended = run(self, root) and (self.won == EMPTY or link_all(self, links))
    free_bound(self)
    return ended


cdef inline bint run(Optimal *self, const State *root) noexcept nogil:
    cdef Child children[MAX_MOVES]
    cdef int index, count
    empty(self.table)
    memset(self.bucket, 0xFF, sizeof(self.bucket))
    begin(self, root)
    self.lowest_f = self.first
    if self.first < self.best:
        store_root(self)
    while take_next(self):
        if not tick(self.watch):
            return False
        if self.table.count > self.bound.mask // 4 and self.bound.mask + 1 < self.bound.most:
            widen(self.bound)
        look_at(self)
        count = make_children(self, children)
        for index in range(count):
            if is_full(self.table):
                self.watch.reached = MEMORY
                return False
            judge(self, &children[index])
        self.watch.bytes = bytes_used(self.table)
    return True


cdef inline int play_home(Optimal *self, State *state) noexcept nogil:
    # Plays what goes by itself; returns how many cards.
    cdef Undo undo
    cdef int count = 0
    cdef Move move = next_home_move(state, &self.rules, self.policy)
    while move:
        apply(state, move, &undo)
        count += 1
        move = next_home_move(state, &self.rules, self.policy)
    return count


cdef inline int cards_left(const State *state) noexcept nogil:
    return DECK - (state.home[0] + state.home[1] + state.home[2] + state.home[3])


cdef inline void begin(Optimal *self, const State *root) noexcept nogil:
    # Plays what goes by itself on the root and bounds what is left.
    self.state = root[0]
    self.cost = self.home_cost * play_home(self, &self.state)
    lay_out(self.bound, &self.state)
    self.extra = extra(self.bound, &self.state, 0, ENDLESS)
    self.left = cards_left(&self.state)
    self.first = self.cost + self.home_cost * self.left + self.extra


cdef inline void store_root(Optimal *self) noexcept nogil:
    cdef Child root
    self.lowest_h = 0
    self.node = EMPTY
    root.move = 0
    root.cost = self.cost
    root.left = self.left
    key_of(&root.key, &self.codes, &self.state)
    reach(self, &root, EMPTY, self.extra)


cdef inline bint take_next(Optimal *self) noexcept nogil:
    # The next position to expand into `state`; False if none can lead to less than the best.
    cdef uint32_t *row
    cdef Node *node
    while self.lowest_f < self.best and self.lowest_f < self.first + FS:
        row = self.bucket[self.lowest_f - self.first]
        while self.lowest_h < HS and row[self.lowest_h] == EMPTY:
            self.lowest_h += 1
        if self.lowest_h == HS:
            self.lowest_f += 1
            self.lowest_h = 0
            continue
        self.node = row[self.lowest_h]
        node = &self.table.nodes[self.node]
        row[self.lowest_h] = node.next
        prefetch(&self.table.nodes[node.next])  # mostly the one after this; EMPTY does no harm
        if node.depth == REPLACED:
            continue
        self.key = node.key
        state_of(&self.state, &self.codes, &self.key, self.rules.columns, self.rules.cells)
        self.cost = node.depth
        self.left = cards_left(&self.state)
        self.extra = self.lowest_h - self.home_cost * self.left
        return True
    return False


cdef inline void look_at(Optimal *self) noexcept nogil:
    # Prepares the bound for the children of the position.
    lay_out(self.bound, &self.state)
    consult(self.bound, &self.state, self.extra)
    memset(self.without, UNKNOWN, DECK)


cdef inline void make_child(Optimal *self, Move move, int weight, Child *child) noexcept nogil:
    # What a move of the position leads to.
    cdef State after
    cdef Undo undo
    cdef int card = move_card(move), under = self.state.under[card]
    child.move = move
    child.weight = weight
    child.cost = self.cost + weight
    child.left = self.left
    if move_onto(move) != HOME and (under >= DECK or not is_due(&self.state, under)):
        # Nothing more goes home by itself.
        child.key = self.key
        move_key(&child.key, &self.codes, card, under, move_onto(move))
        return
    after = self.state
    apply(&after, move, &undo)
    child.cost += self.home_cost * play_home(self, &after)
    key_of(&child.key, &self.codes, &after)
    child.left = cards_left(&after)


cdef inline int make_children(Optimal *self, Child *children) noexcept nogil:
    # What the moves lead to that may be worth storing, by a first bound; returns how many.
    cdef Move moves[MAX_MOVES]
    cdef int count = generate(&self.state, &self.rules, moves), index, weight = 1, made = 0
    cdef Child *child
    for index in range(count):
        child = &children[made]
        if self.house_runs:
            weight = house_weight(self, moves[index])
        child.lower = without(self, moves[index], weight, True)
        if child.lower < room_for(self, moves[index], weight):
            make_child(self, moves[index], weight, child)
            expect(self.table, &child.key)
            made += 1
    return made


cdef inline int room_for(const Optimal *self, Move move, int weight) noexcept nogil:
    # The bound has to stay below this for what the move leads to to be worth storing.
    return self.best - self.cost - weight - self.home_cost * (
        self.left - (move_onto(move) == HOME))


cdef inline void judge(Optimal *self, Child *child) noexcept nogil:
    # Stores the child if it is new and worth it.
    cdef uint32_t known = find(self.table, &child.key)
    cdef int value, room = self.best - child.cost - self.home_cost * child.left
    if known != EMPTY and self.table.nodes[known].depth <= child.cost:
        return
    if child.lower == UNKNOWN:
        child.lower = without(self, child.move, child.weight, False)
        if child.lower >= room:
            return
    value = bound_after(self, child, room)
    if value < room:
        reach(self, child, known, value)


cdef inline int without(Optimal *self, Move move, int weight, bint quickly) noexcept nogil:
    # The bound if the cards of the move were in cells; UNKNOWN if that takes a search but is wanted
    # `quickly`. Where some cards may have to wait: 0 if it would be less than now, were
    # those of the move free to go home as well.
    cdef Bound *bound = self.bound
    cdef int card = move_card(move), last, value
    cdef uint64_t moved
    if move_source(move) == FROM_CELL:
        return 0 if self.selective else self.extra
    if move_onto(move) == HOME and not self.selective:
        return self.extra
    if self.without[card] != UNKNOWN:
        return self.without[card]
    last = self.state.top[move_source(move)]
    moved = ~bound.beneath[card] & (bound.beneath[last] | bit(last))
    value = self.extra
    if weight > 1:
        if quickly:
            return UNKNOWN
        value = without_part(self, card, last, moved, weight)
    elif bound.owing & bit(last):
        value -= 1
    elif bound.settled.away & moved:
        while not bound.settled.tops & bit(last):
            last = self.state.under[last]
        if quickly and not is_tried(bound, last):
            return UNKNOWN
        value -= helps(bound, last)
        last = self.state.top[move_source(move)]
    if value < self.extra and self.selective:
        value = 0
    elif value < self.extra and moved != bound.run[last] and weight == 1:
        if quickly:
            return UNKNOWN
        value = without_part(self, card, last, moved, 1)
    self.without[card] = value
    return value


cdef inline int without_part(
    Optimal *self, int card, int last, uint64_t moved, int weight
) noexcept nogil:
    # The same for a part of a run, or cards of several.
    cdef Relaxed relaxed
    relax(&relaxed, &self.state)
    bare(self.bound, &relaxed, last, self.state.under[card])
    relaxed.loose |= moved
    settle(self.bound, &relaxed)
    return min(self.extra, total(self.bound, &relaxed, self.extra - weight, self.extra))


cdef inline int bound_after(Optimal *self, const Child *child, int room) noexcept nogil:
    # The bound of a child; `room` or more stands for all above.
    cdef Bound *bound = self.bound
    cdef State *state = &self.state
    cdef Undo undo
    cdef int card = move_card(child.move), onto = move_onto(child.move), last = card, value
    cdef int ceiling = room
    if move_source(child.move) != FROM_CELL:
        last = state.top[move_source(child.move)]
    if not self.selective:
        # One card with nothing under it is as good as in a cell.
        if onto > FLOOR or (onto == FLOOR and last == card):
            return child.lower
        ceiling = min(room, child.lower + child.weight)
    apply(state, child.move, &undo)
    if onto < CELL:
        lay_run(bound, state, card, last, undo.target, onto)
    value = extra(bound, state, child.lower, ceiling)
    if onto < CELL and undo.under < CELL:
        lay_run(bound, state, card, last, undo.source, undo.under)
    take_back(state, child.move, &undo)
    return value


cdef inline int house_weight(const Optimal *self, Move move) noexcept nogil:
    # Singles of a run by the house's limit.
    cdef const State *state = &self.state
    cdef int card = state.top[move_source(move)] if move_source(move) != FROM_CELL else FLOOR
    cdef int count = 1, into_empty = move_onto(move) == FLOOR
    if move_onto(move) >= CELL or card == FLOOR:
        return 1
    while card != move_card(move):
        card = state.under[card]
        count += 1
    return self.rules.cost[state.under[card] == FLOOR][into_empty][count][state.free_cells][
        state.empty_columns - into_empty]


cdef inline void reach(
    Optimal *self, const Child *child, uint32_t known, int value
) noexcept nogil:
    # Stores and queues a position that was not `known`, or at greater cost.
    cdef Node *node
    cdef uint32_t index
    cdef uint32_t *bucket
    cdef int f, h = value + self.home_cost * child.left
    if known == EMPTY:
        index = add(self.table, &child.key)
    else:
        index = replace(self.table, known)
        self.table.nodes[known].depth = REPLACED
    node = &self.table.nodes[index]
    node.parent = self.node
    node.move = child.move
    node.depth = child.cost
    f = min(max(child.cost + h, self.first), self.first + FS - 1)
    if not child.left:
        self.best = child.cost + self.every
        self.won = index
    if f < self.lowest_f or (f == self.lowest_f and h < self.lowest_h):
        self.lowest_f = f
        self.lowest_h = h
    bucket = &self.bucket[f - self.first][h]
    node.next = bucket[0]
    bucket[0] = index


# All shortest solutions


cdef inline bint link_all(Optimal *self, Links *links) noexcept nogil:
    # Once all is stored that can be as short: from the wins backwards the moves between positions
    # that lie on a shortest solution, those furthest from the root first. False at a limit.
    cdef uint32_t *by_cost = &self.bucket[0][0]
    cdef uint32_t index
    cdef Node *node
    cdef int cost
    memset(self.bucket, 0xFF, sizeof(self.bucket))
    for index in range(self.table.count):
        node = &self.table.nodes[index]
        if node.depth != REPLACED:
            node.next = by_cost[node.depth]
            by_cost[node.depth] = index
    for cost in range(self.best - 1, -1, -1):
        index = by_cost[cost]
        while index != EMPTY:
            if not tick(self.watch):
                return False
            self.node = index
            if not link_node(self, links):
                self.watch.reached = MEMORY
                return False
            index = self.table.nodes[index].next
    return True


cdef inline bint link_node(Optimal *self, Links *links) noexcept nogil:
    # Links a position to the next ones on shortest solutions, each once. False without memory.
    cdef Move moves[MAX_MOVES]
    cdef Child child
    cdef Node *node = &self.table.nodes[self.node]
    cdef uint32_t known, first = links.count, link
    cdef int index, count
    node.parent = EMPTY
    self.key = node.key
    state_of(&self.state, &self.codes, &self.key, self.rules.columns, self.rules.cells)
    self.cost = node.depth
    self.left = cards_left(&self.state)
    if not self.left:
        node.parent = ON_PATH
    count = generate(&self.state, &self.rules, moves)
    for index in range(count):
        make_child(
            self, moves[index], house_weight(self, moves[index]) if self.house_runs else 1, &child)
        known = find(self.table, &child.key)
        if (known == EMPTY or self.table.nodes[known].depth != child.cost
                or self.table.nodes[known].parent != ON_PATH):
            continue
        node.parent = ON_PATH
        link = first
        while link < links.count and links.link[link].next != known:
            link += 1
        if link == links.count and not add_link(links, self.node, known, moves[index]):
            return False
    return True


cdef inline bint add_link(Links *links, uint32_t node, uint32_t next, Move move) noexcept nogil:
    cdef Link *grown
    if links.count == links.capacity:
        grown = <Link *>realloc(links.link, 2 * (links.capacity + 512) * sizeof(Link))
        if grown == NULL:
            return False
        links.link = grown
        links.capacity = 2 * (links.capacity + 512)
    links.link[links.count].node = node
    links.link[links.count].next = next
    links.link[links.count].move = move
    links.count += 1
    return True
