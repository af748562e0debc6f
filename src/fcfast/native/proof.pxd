# The proof search: every position that can be reached, each once and in 16 bytes, nothing else.
#
# No paths and no queue: a position is a key in an open-addressing table, its top bits say at what
# level it stands and whether it has been expanded. Workers (threads) share the table; each expands
# what its own short stack holds and then what a sweep over the table turns up.
#
# Levels. A card that leaves the card it was dealt on, where it does not fit, cannot come back to
# it, nor a card into an empty column that it may not fill, nor one from home. All are counted: no
# move lowers the count, so positions of a level can be reached from that level and lower ones only.
# The search works level by level and drops what lies below when the table is full: 11982 fits into
# 14,000 slots (61,643 positions), and a proof of 65 million positions held 20 million at most.
#
# Neighbours. Within a level every move can be taken back: what a card or run left still takes it,
# the run limit is the same both ways, and no card goes home by itself behind it, as none did where
# it came from. So positions of a level lead to each other or not at all, and one is enclosed when
# it and all its neighbours have been expanded. It may be dropped: only the expansion of a neighbour
# could reach it again, and of two such neighbours none is expanded twice before the other is. When
# lower levels give no room, the enclosed positions do (mark_enclosed).
#
# What the search leaves out, and why no win is lost:
# - Columns and cells have no order (key.pxd): the rules do not know them by number.
# - A card that is safe at home goes there at once (autoplay.pxd has the source). That lengthens no
#   win counted in single cards. So of a won game's positions each has, after a move and what goes
#   home behind it, a successor nearer to its win, and a set of positions that no move leaves and
#   that holds no win holds no position that can be won.
# - Runs are not moved in one go where single cards could carry them (has_long_runs): such a move
#   is shorthand for a sequence of moves that are all searched.
#
# Twins may be taken for one another too (twins.pxd), from a rank on. A position then stands for all
# that differ from it in the names of loose twins only. The moves of a card onto cards, into cells
# and empty columns are the same for all of these; going home is not, so a card may go home if it or
# its loose twin is due, and which is which is told by that. What goes home by itself had no loose
# twin after the move, so that it does in all of them. So every move of every position meant is
# searched, and where no win is found there is none. A win that is found need not be one: that
# search decides nothing.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fcfast.native.atomic cimport claim, fetch_add, fetch_or, load as read, prefetch, store as write
from fcfast.native.autoplay cimport ALL, SAFE, goes_by_itself
from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, bit, rank, suit, twin
from fcfast.native.exhaustive cimport FOUND, NONE_LEFT, STOPPED
from fcfast.native.key cimport (
    Codes, Key, Places, key_hash, key_of, places_of, make_codes, move_key, same_key,
)
from fcfast.native.movegen cimport MAX_MOVES, lowest
from fcfast.native.rules cimport MAX_CELLS, MAX_COLUMNS, Rules, builds_in_suit, fills, fits
from fcfast.native.state cimport State
from fcfast.native.twins cimport (
    NO_TWINS, Twins, exchange, has_loose_twin, look_at, moved, order_twins, with_loose_twins,
)
from fcfast.native.watch cimport MEMORY, Watch, look_up, tick_shared

cdef enum:
    LEVELS = 105            # 52 cards may leave, 52 come home
    LEVEL_SHIFT = 60
    FEWEST_SLOTS = 4096
    CHUNK = 64              # slots of the sweep that a worker takes at a time
    STACK = 1 << 15
    ROOM = 8 * 512          # new positions that a worker reserves at a time; 512 is MAX_MOVES
    GO_ON = 3               # beside FOUND, NONE_LEFT and STOPPED
    FULL = 4                # make room, then ask again
    ENCLOSED = LEVELS       # stands in place of the level of what rebuild() is to drop
    SHARE = 256             # positions that a worker keeps to itself while another is idle


cdef extern from *:
    """
    #define FCFAST_EXPANDED (1ULL << 63)
    #define FCFAST_BELOW_TOP ((1ULL << 60) - 1)
    #define FCFAST_MOST_SLOTS (1LL << 32)
    """
    uint64_t EXPANDED "FCFAST_EXPANDED"
    uint64_t BELOW_TOP "FCFAST_BELOW_TOP"
    int64_t MOST_SLOTS "FCFAST_MOST_SLOTS"  # that the workers' stacks can name

cdef struct Proof:
    const Rules *rules
    Watch *watch
    Key *slots              # all zero: empty
    int64_t least_slots     # of the smallest size of the table; every other is twice the last
    int64_t size            # slots in use now
    int64_t most_slots
    int64_t free_slots      # that may still be filled at this size
    int64_t chunks          # of slots, for the sweep
    int64_t stride          # from one to the next
    int64_t cursor          # how many have been taken
    int64_t count           # positions in the table
    int64_t peak            # most there ever were
    int64_t enclosed        # how many were dropped as such
    int64_t idle            # workers that have run out
    int64_t waiting[105]    # positions not yet expanded, by level
    int level               # that is worked on
    int last_level          # where to stop
    bint found              # a won position
    bint full
    int most_height         # of the workers' stacks in this sweep
    int policy              # SAFE, or ALL where the game is played under it
    int twins_from          # the rank, NO_TWINS: all cards are told apart
    bint long_runs
    int columns
    int cells
    uint64_t misfits        # cards dealt where they cannot come back to
    Codes codes

cdef struct Worker:
    uint32_t stack[1 << 15]
    int height
    int64_t at              # in the chunk of the sweep
    int64_t end
    int64_t room            # reserved of Proof.free_slots
    int64_t added
    int64_t waiting[105]    # what this sweep added to Proof.waiting
    int children
    Key child[512]


cdef inline bint has_long_runs(const Rules *rules) noexcept nogil:
    # Do the rules let a run go that single cards could not carry through the free places?
    cdef int free_cells, empty, any_fills = fills(rules, 0)
    for free_cells in range(MAX_CELLS + 1):
        for empty in range(MAX_COLUMNS + 1):
            if rules.limit[0][free_cells][empty] > (free_cells + 1) << (any_fills * empty):
                return True
            if empty and (rules.limit[1][free_cells][empty]
                          > (free_cells + 1) << (any_fills * (empty - 1))):
                return True
    return False


# A position in the table
#
#     word[0]  [expanded : 1][level / 15 : 3][suits 1, 0 : 60]
#     word[1]  [level % 15 + 1           : 4][suits 3, 2 : 60]
#
# Neither word is 0: suits 0 and 1 only are where 26 cards are home, so that the level is not
# below 15. A slot is taken by its first word and complete with its second.


cdef inline void set_level(Key *key, int level) noexcept nogil:
    key.word[0] |= <uint64_t>(level // 15) << LEVEL_SHIFT
    key.word[1] |= <uint64_t>(level % 15 + 1) << LEVEL_SHIFT


cdef inline int level_of(uint64_t first, uint64_t second) noexcept nogil:
    return 15 * <int>(first >> LEVEL_SHIFT & 7) + <int>(second >> LEVEL_SHIFT) - 1


cdef inline int64_t slot_of(const Key *key, int64_t least, int64_t size) noexcept nogil:
    # Where its search begins. For twice the size that is the same slot, or `size` more.
    cdef uint64_t value = key_hash(key), row = <uint64_t>(size // least - 1) & value >> 32
    cdef uint64_t place = <uint32_t>value * <uint64_t>least >> 32
    return <int64_t>(row * <uint64_t>least + place)


cdef inline bint put(const Proof *self, const Key *key, int64_t *slot) noexcept nogil:
    # Adds a position; False if it was there. Safe in any number of threads.
    cdef uint64_t seen, second
    cdef int64_t at = slot_of(key, self.least_slots, self.size)
    while True:
        seen = read(&self.slots[at].word[0])
        if seen == 0:
            if claim(&self.slots[at].word[0], key.word[0]):
                write(&self.slots[at].word[1], key.word[1])
                slot[0] = at
                return True
            continue
        if seen & ~EXPANDED == key.word[0]:
            second = read(&self.slots[at].word[1])
            while second == 0:
                second = read(&self.slots[at].word[1])
            if second == key.word[1]:
                return False
        at += 1
        if at == self.size:
            at = 0


# The table


cdef inline bint open_table(Proof *self, int64_t bytes) noexcept nogil:
    # Sizes that double from 4,096..8,191 slots to all that fits in `bytes`. False: no memory.
    cdef int64_t slots = max(<int64_t>FEWEST_SLOTS, bytes // <int64_t>sizeof(Key))
    self.least_slots = slots
    while self.least_slots >= 2 * FEWEST_SLOTS:
        self.least_slots //= 2
    self.most_slots = self.least_slots
    while 2 * self.most_slots <= slots and self.most_slots <= MOST_SLOTS // 2:
        self.most_slots *= 2
    self.slots = <Key *>calloc(self.most_slots, sizeof(Key))  # no page is memory before its use
    self.size = self.least_slots
    return self.slots != NULL


cdef inline void close_table(Proof *self) noexcept nogil:
    free(self.slots)
    self.slots = NULL


cdef inline int64_t bytes_used(const Proof *self) noexcept nogil:
    return self.size * <int64_t>sizeof(Key)


cdef inline int64_t usable(const Proof *self) noexcept nogil:
    # Slots to be filled: a new position takes 8 probes at 3/4, and 32 in the largest table at 7/8.
    if self.size < self.most_slots:
        return self.size // 4 * 3
    return self.size // 8 * 7


cdef inline void rebuild(Proof *self, int64_t size, int low, int high) noexcept nogil:
    # To the same or twice the size, in place; keeps the positions of the levels low..high. A
    # position's search begins in its own cluster or in the new half, so in an order that starts
    # behind an empty slot each finds a place no later than where it stood, behind final places.
    cdef int64_t old = self.size, start = self.size - 1, index, at, slot
    cdef Key key
    while self.slots[start].word[0]:
        start -= 1
    self.size = size
    self.count = 0
    for index in range(1, old + 1):
        at = start + index
        if at >= old:
            at -= old
        key = self.slots[at]
        if key.word[0] == 0:
            continue
        self.slots[at].word[0] = self.slots[at].word[1] = 0
        if not low <= level_of(key.word[0], key.word[1]) <= high:
            continue
        self.count += 1
        slot = slot_of_stored(&key, self.least_slots, size)
        while self.slots[slot].word[0]:
            slot += 1
            if slot == size:
                slot = 0
        self.slots[slot] = key


cdef inline int64_t slot_of_stored(const Key *stored, int64_t least, int64_t size) noexcept nogil:
    cdef Key key = stored[0]
    key.word[0] &= ~EXPANDED
    return slot_of(&key, least, size)


cdef inline int lowest_waiting(const Proof *self) noexcept nogil:
    # The lowest level with work, LEVELS where there is none.
    cdef int level = 0
    while level < LEVELS and self.waiting[level] == 0:
        level += 1
    return level


cdef inline bint make_room(Proof *self) noexcept nogil:
    # Drops what lies below the lowest level with work or is enclosed, and takes a larger table
    # unless that gave an eighth back. False where neither helps.
    cdef int64_t before = self.count
    rebuild(self, self.size, lowest_waiting(self), LEVELS - 1)
    if before - self.count > self.size // 8:
        self.full = False
        return True
    if self.size < self.most_slots:
        rebuild(self, 2 * self.size, 0, LEVELS - 1)
        self.full = False
        return True
    if before - self.count < self.size // 32:
        return False
    self.full = False
    return True


cdef inline void mark_enclosed(Proof *self, Worker *worker, int64_t least) noexcept nogil:
    # Gives what is enclosed at the lowest level with work up to the next make_room(), unless fewer
    # than `least` positions have been expanded there.
    cdef int64_t at, expanded = 0
    cdef Key *key
    self.level = lowest_waiting(self)
    for at in range(self.size):
        expanded += is_expanded(self, &self.slots[at])
    if expanded < least:
        return
    for at in range(self.size):
        if at % CHUNK == 0 and not look_up(self.watch):
            return
        key = &self.slots[at]
        if is_expanded(self, key) and is_enclosed(self, worker, key):
            key.word[0] &= EXPANDED | BELOW_TOP
            key.word[1] &= BELOW_TOP
            set_level(key, ENCLOSED)
            self.enclosed += 1


cdef inline int64_t worth_it(const Proof *self) noexcept nogil:
    # To look at all neighbours takes as long as to expand the positions again.
    return self.size // 4


cdef inline bint is_expanded(const Proof *self, const Key *stored) noexcept nogil:
    # At the level that is worked on.
    return stored.word[0] & EXPANDED and level_of(stored.word[0], stored.word[1]) == self.level


cdef inline bint is_enclosed(Proof *self, Worker *worker, const Key *stored) noexcept nogil:
    # An expanded position: is none of its neighbours waiting? Those that are not in the table have
    # been enclosed before.
    cdef int index
    cdef const Key *key
    make_children(self, worker, stored)
    for index in range(worker.children):
        key = &worker.child[index]
        if level_of(key.word[0], key.word[1]) == self.level and is_waiting(self, key):
            return False
    return True


cdef inline bint is_waiting(const Proof *self, const Key *key) noexcept nogil:
    cdef int64_t at = slot_of(key, self.least_slots, self.size)
    while self.slots[at].word[0]:
        if same_key(&self.slots[at], key):  # the bit EXPANDED would tell them apart
            return True
        at += 1
        if at == self.size:
            at = 0
    return False


cdef inline int64_t collect(
    const Proof *self, int low, int high, int expanded, int64_t *at, Key *keys, int64_t most
) noexcept nogil:
    # Copies positions of the levels low..high, without their top bits, from slot at[0] on: those
    # expanded (1), those not (0), or all (-1).
    cdef int64_t count = 0
    cdef int level
    cdef const Key *key
    while at[0] < self.size and count < most:
        key = &self.slots[at[0]]
        at[0] += 1
        if key.word[0] == 0:
            continue
        level = level_of(key.word[0], key.word[1])
        if low <= level <= high and expanded != (key.word[0] & EXPANDED == 0):
            keys[count].word[0] = key.word[0] & BELOW_TOP
            keys[count].word[1] = key.word[1] & BELOW_TOP
            count += 1
    return count


cdef inline void keep(Proof *self, int low, int high) noexcept nogil:
    # Forgets all positions but those of the levels low..high.
    cdef int level
    rebuild(self, self.size, low, high)
    self.full = False
    for level in range(LEVELS):
        if not low <= level <= high:
            self.waiting[level] = 0


cdef inline void expect(Proof *self, int64_t positions) noexcept nogil:
    # Gets ready for so many more of put_back(). They come in the order of the slots of another
    # table: in a smaller one they would fill one end first, and each be put behind all before.
    while self.size < self.most_slots and usable(self) - self.count < positions:
        rebuild(self, 2 * self.size, 0, LEVELS - 1)


cdef inline bint put_back(Proof *self, const Key *key, bint expanded) noexcept nogil:
    # Adds a position that was kept elsewhere, unless it is here. False where the table is full.
    cdef Places places
    cdef Key stored = key[0]
    cdef int level
    cdef int64_t slot
    places_of(&places, &self.codes, key)
    level = level_at(self, &places)
    if self.count >= usable(self) and not make_room(self):
        return False
    set_level(&stored, level)
    if put(self, &stored, &slot):
        self.count += 1
        if expanded:
            self.slots[slot].word[0] |= EXPANDED
        else:
            self.waiting[level] += 1
    return True


# The search


cdef inline void begin(Proof *self, const State *root, int twins_from) noexcept nogil:
    # The first position alone in a table of the smallest size. Twins count as one another from a
    # rank on, where cards build in alternate colours and no more than is safe goes by itself.
    cdef Places places
    cdef Twins twins
    cdef Key key
    cdef int card, under, level
    cdef int64_t slot
    make_codes(&self.codes, self.rules, root)
    self.long_runs = self.policy == ALL or has_long_runs(self.rules)
    self.columns, self.cells = root.columns, root.cells
    self.twins_from = (
        NO_TWINS if self.policy != SAFE or builds_in_suit(self.rules) else twins_from)
    self.misfits = 0
    for card in range(DECK):
        under = root.under[card]
        if ((under < DECK and not fits(self.rules, card, under))
                or (under == FLOOR and not fills(self.rules, card))):
            self.misfits |= bit(card)
    memset(self.slots, 0, self.size * sizeof(Key))
    self.size = self.least_slots
    self.count = self.peak = self.enclosed = 0
    self.full = False
    self.last_level = LEVELS - 1
    memset(self.waiting, 0, sizeof(self.waiting))
    key_of(&key, &self.codes, root)
    places_of(&places, &self.codes, &key)
    look_at(&twins, &places, &self.codes, self.misfits, self.twins_from)
    send_home(self, &places, &twins, &key)
    self.found = all_home(&places)
    if not self.found:
        order_twins(&twins, &places, &key, &self.codes)
        level = level_at(self, &places)
        set_level(&key, level)
        put(self, &key, &slot)
        self.waiting[level] = self.count = self.peak = 1


cdef inline int level_at(const Proof *self, const Places *places) noexcept nogil:
    cdef int card, level = 0
    for card in range(DECK):
        level += places.under[card] == HOME
        if self.misfits & bit(card) and places.under[card] != self.codes.place[card][0]:
            level += 1
    return level


cdef inline void sweep(Proof *self, Worker *worker) noexcept nogil:
    # Expands what can be found in one pass over the table, and most of what that leads to. Ends
    # early with `found`, `full`, or a limit in the Watch; settle() sums up behind all workers.
    cdef int64_t slot, chunk
    cdef uint64_t first, second
    cdef Key *at
    worker.height = 0
    worker.at = worker.end = worker.room = worker.added = 0
    memset(worker.waiting, 0, sizeof(worker.waiting))
    while not (self.found or self.full or self.watch.reached):
        if worker.height > 0:
            if self.idle and worker.height > SHARE:
                return
            worker.height -= 1
            slot = worker.stack[worker.height]
        elif worker.at < worker.end:
            slot = worker.at
            worker.at += 1
        else:
            chunk = fetch_add(&self.cursor, 1)
            if chunk >= self.chunks:
                fetch_add(&self.idle, 1)
                return
            worker.at = chunk * self.stride % self.chunks * CHUNK
            worker.end = min(worker.at + CHUNK, self.size)
            continue
        at = &self.slots[slot]
        first = read(&at.word[0])
        if first == 0 or first & EXPANDED:
            continue
        second = read(&at.word[1])
        if second == 0 or level_of(first, second) != self.level:
            continue  # only just taken, or its level is not due
        if worker.room < MAX_MOVES and not take_room(self, worker):
            return
        if fetch_or(&at.word[0], EXPANDED) & EXPANDED:
            continue
        if not tick_shared(self.watch):
            at.word[0] &= ~EXPANDED
            return
        expand(self, worker, at)


cdef inline bint take_room(Proof *self, Worker *worker) noexcept nogil:
    cdef int64_t left = fetch_add(&self.free_slots, -ROOM)
    worker.room += max(<int64_t>0, min(left, ROOM))
    if worker.room < MAX_MOVES:
        self.full = True
        return False
    return True


cdef inline int64_t gcd(int64_t one, int64_t other) noexcept nogil:
    while other:
        one, other = other, one % other
    return one


cdef inline void settle(Proof *self, const Worker *worker) noexcept nogil:
    # Adds one worker's sums; behind the last, next_sweep() may follow.
    cdef int level
    self.count += worker.added
    self.peak = max(self.peak, self.count)
    for level in range(LEVELS):
        self.waiting[level] += worker.waiting[level]


cdef inline int next_sweep(Proof *self) noexcept nogil:
    # Gets ready for a sweep over the lowest level with work (GO_ON), or says why there is none. The
    # chunks come in an order that leaves none of the table's parts behind: where that with most
    # positions still to be kept is one stretch, it fills up, and each new one is put at its end.
    self.level = lowest_waiting(self)
    if self.found:
        return FOUND
    if self.level > self.last_level:
        return NONE_LEFT
    if self.watch.reached:
        return STOPPED
    if self.full:
        return FULL
    self.cursor = self.idle = 0
    self.chunks = (self.size + CHUNK - 1) // CHUNK
    self.stride = self.chunks * 5 // 8
    while gcd(self.stride, self.chunks) > 1:
        self.stride += 1
    # Depth first is 5 % quicker. In breadth more is enclosed when the table is full, 92 % of what
    # was expanded against 65 % in one level of 519341276.
    self.most_height = 0 if self.size == self.most_slots else STACK
    self.watch.bytes = bytes_used(self)
    self.free_slots = usable(self) - self.count
    return GO_ON


cdef inline int search(
    Proof *self, Worker *worker, const State *root, int twins_from
) noexcept nogil:
    # All in the calling thread.
    cdef int outcome
    begin(self, root, twins_from)
    while True:
        outcome = next_sweep(self)
        if outcome == GO_ON:
            sweep(self, worker)
            settle(self, worker)
        elif outcome == FULL:
            if not make_room(self):
                mark_enclosed(self, worker, worth_it(self))
                if not make_room(self):
                    self.watch.reached = MEMORY
        else:
            return outcome


cdef inline void expand(Proof *self, Worker *worker, const Key *stored) noexcept nogil:
    cdef int index, level = level_of(stored.word[0], stored.word[1])
    cdef int64_t slot
    worker.waiting[level] -= 1
    make_children(self, worker, stored)
    for index in range(worker.children):
        prefetch(&self.slots[slot_of(&worker.child[index], self.least_slots, self.size)])
    for index in range(worker.children):
        if not put(self, &worker.child[index], &slot):
            continue
        level = level_of(worker.child[index].word[0], worker.child[index].word[1])
        worker.room -= 1
        worker.added += 1
        worker.waiting[level] += 1
        if level == self.level and worker.height < self.most_height:
            worker.stack[worker.height] = <uint32_t>slot
            worker.height += 1


cdef inline void make_children(Proof *self, Worker *worker, const Key *stored) noexcept nogil:
    # The position after each move, into worker.child.
    cdef Places places
    cdef Twins twins
    cdef Key key = stored[0]
    cdef int level = level_of(key.word[0], key.word[1])
    cdef int card, head, length, free_cells, empty_columns
    cdef uint64_t left
    key.word[0] &= BELOW_TOP
    key.word[1] &= BELOW_TOP
    places_of(&places, &self.codes, &key)
    if self.twins_from < NO_TWINS:
        look_at(&twins, &places, &self.codes, self.misfits, self.twins_from)
    free_cells = self.cells - places.in_cells
    empty_columns = self.columns - places.floors
    worker.children = 0
    left = places.tops | places.celled
    while left:
        card = lowest(left)
        left &= left - 1
        if places.home[suit(card)] == rank(card):
            child(self, worker, &places, &twins, &key, level, card, card, HOME)
        if (self.twins_from < NO_TWINS and places.home[suit(twin(card))] == rank(card)
                and has_loose_twin(&twins, card)):
            go_as_twin(self, worker, &places, &twins, &key, level, card)
        if free_cells and places.under[card] != CELL:
            child(self, worker, &places, &twins, &key, level, card, card, CELL)
        put_run(self, worker, &places, &twins, &key, level, card, card, empty_columns)
        if not self.long_runs:
            continue
        head = card
        length = 1
        while fits(self.rules, head, places.under[head]):
            head = places.under[head]
            length += 1
            if length > self.rules.limit[0][free_cells][empty_columns]:
                break
            put_run(self, worker, &places, &twins, &key, level, head, card,
                    empty_columns and length <= self.rules.limit[1][free_cells][empty_columns])


cdef inline void put_run(
    Proof *self, Worker *worker, const Places *places, const Twins *twins, const Key *key,
    int level, int head, int last, bint into_empty
) noexcept nogil:
    # The run head..last onto every card that takes it, and into an empty column.
    cdef uint64_t targets = self.rules.fits[head] & places.tops
    while targets:
        child(self, worker, places, twins, key, level, head, last, lowest(targets))
        targets &= targets - 1
    if into_empty and places.under[head] != FLOOR and fills(self.rules, head):
        child(self, worker, places, twins, key, level, head, last, FLOOR)


cdef inline void go_as_twin(
    Proof *self, Worker *worker, const Places *places, const Twins *twins, const Key *key,
    int level, int card
) noexcept nogil:
    # A bare card goes home by the name of its loose twin.
    cdef Places renamed = places[0]
    cdef Twins exchanged = twins[0]
    cdef Key other = key[0]
    exchange(&exchanged, &renamed, &other, &self.codes, card, twin(card))
    child(self, worker, &renamed, &exchanged, &other, level, twin(card), twin(card), HOME)


cdef inline void child(
    Proof *self, Worker *worker, const Places *places, const Twins *twins, const Key *parent,
    int level, int head, int last, int onto
) noexcept nogil:
    # The position after one move and all that then goes home by itself, into worker.child. Only
    # where the card laid bare goes home, or one has just gone, need the rest be looked at.
    cdef Places after
    cdef Twins renamed
    cdef int under = places.under[head]
    cdef Key *key = &worker.child[worker.children]
    cdef bint twin_names = self.twins_from < NO_TWINS, goes = onto == HOME or (
        under < DECK and places.home[suit(under)] == rank(under)
        and goes_by_itself(self.rules, self.policy, under, places.home))
    key[0] = parent[0]
    level += step(self, key, head, under, onto)
    if goes or twin_names:
        after = places[0]
        put_down(&after, head, last, under, onto)
        if twin_names:
            renamed = twins[0]
            moved(&renamed, head, under, onto)
        if goes:
            level += send_home(self, &after, &renamed, key)
            if all_home(&after):
                self.found = True
                return
        if twin_names:
            order_twins(&renamed, &after, key, &self.codes)
    set_level(key, level)
    worker.children += 1


cdef inline int send_home(Proof *self, Places *places, Twins *twins, Key *key) noexcept nogil:
    # Plays home all that goes by itself; returns by how much the level rises.
    cdef int index = 0, card, under, risen = 0
    cdef uint64_t twins_now = 0  # with them; whose twin is let loose only then goes all the same
    if self.twins_from < NO_TWINS:
        twins_now = with_loose_twins(twins)
    while index < 4:
        card = 4 * places.home[index] + index
        if (card < DECK and (places.tops | places.celled) & bit(card)
                and goes_by_itself(self.rules, self.policy, card, places.home)
                and not twins_now & bit(card)):
            under = CELL if places.celled & bit(card) else places.under[card]
            risen += step(self, key, card, under, HOME)
            put_down(places, card, card, under, HOME)
            if self.twins_from < NO_TWINS:
                moved(twins, card, under, HOME)
            index = 0
        else:
            index += 1
    return risen


cdef inline int step(const Proof *self, Key *key, int card, int under, int onto) noexcept nogil:
    # Moves a card in the key; returns by how much the level rises.
    move_key(key, &self.codes, card, under, onto)
    return (onto == HOME) + (
        self.misfits & bit(card) != 0 and under == self.codes.place[card][0])


cdef inline void put_down(
    Places *places, int head, int last, int under, int onto
) noexcept nogil:
    # Moves the run head..last. What is known of free cells and columns stays that of before.
    if under == CELL:
        places.celled &= ~bit(last)
    else:
        places.tops &= ~bit(last)
        if under != FLOOR:
            places.tops |= bit(under)
    places.under[head] = onto
    if onto == HOME:
        places.home[suit(head)] += 1
    elif onto == CELL:
        places.celled |= bit(head)
    else:
        places.tops |= bit(last)
        if onto != FLOOR:
            places.tops &= ~bit(onto)


cdef inline bint all_home(const Places *places) noexcept nogil:
    return places.home[0] + places.home[1] + places.home[2] + places.home[3] == DECK
