# A lower bound on the moves left: the same game with as many cells as one likes.
#
# There a solution is a choice of runs to park (in the metric of singles: of cards), and whatever
# is free goes home at no cost. A run that holds a card above a lower card of its own suit has to
# be parked. When all else is stuck, the next card of each suit lies under the end of some column,
# which waits for its own suit's next card: a function on at most four suits, so some suits wait
# for each other in a circle, and one of the ends in the circle must be parked. The least number
# of parked runs is found by branching on that choice; circles with no suit in common, each counted
# once, bound it from below.
#
# Under the policies HORNE and SAFE a card that lies free may still have to wait for the other
# colour, or be played home by hand at the cost of one move. A payment for a run then buys either:
# its cards are parked and may go home when they like, unless a card above a lower one of its own
# suit shows that it was parked. (SAFE is relaxed to: both opposite suits home up to two below.)
#
# The position is kept as what each card lies on; what was found for a stuck position is remembered
# under its exact key, in which cards in cells and parked ones are the same, so that one entry
# serves many positions: 96 of 100 that are expanded in moves, 85 in singles. Two questions are
# answered so: what it costs, and for which ends a cheapest solution pays, since only moving those
# can lower the bound.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from fcfast.native.autoplay cimport HORNE, SAFE
from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, KING, bit, rank, suit
from fcfast.native.key cimport Codes, Key, key_hash
from fcfast.native.movegen cimport lowest
from fcfast.native.rules cimport Rules, builds_in_suit, fits
from fcfast.native.state cimport State

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    #define fcfast_popcount(mask) ((int)__popcnt64(mask))
    #else
    #define fcfast_popcount(mask) __builtin_popcountll(mask)
    #endif
    """
    int popcount "fcfast_popcount"(uint64_t mask) noexcept nogil

cdef enum:
    SUIT_CARDS = 0x1111111111111    # the clubs; shifted, another suit
    VALUE_SHIFT = 52
    FIRST_ENTRIES = 1 << 14
    EXACT = 1 << 11
    ENDLESS = 1 << 12

cdef struct Entry:
    uint64_t word[2]        # the key of a stuck position
    uint64_t rest           # [exact : 1][value : 11][tag : 52]
    # Ends, numbered by rising cards: those for which was found whether a cheapest solution pays for
    # them, and those for which one does.
    uint16_t tried
    uint16_t helpful

cdef struct Relaxed:
    uint8_t top[13]         # per column, any card once it is empty
    uint64_t tops
    uint64_t loose          # in cells or parked
    uint64_t willing        # may go home whatever the policy says
    uint64_t away           # not home
    uint64_t due            # the next card of each suit
    int cost

cdef struct Bound:
    const Rules *rules
    Codes *codes
    bint runs               # a run is parked at the price of a card
    bint selective          # some cards may have to wait for other suits
    uint64_t needs[52]      # cards of other suits that must be home before it goes by itself
    uint64_t lower[52]      # lower cards of its own suit
    Key gain[52][54]        # what (card, lies on) adds to the key of all cards in cells
    Key homes[4][14]        # what so many cards home add to it
    Key root
    Entry *entries
    uint64_t mask           # entries in use, minus one
    uint64_t most           # entries there is room for
    uint8_t circle[256]     # by what four suits wait for, two bits each: the suits of a circle
    # The position. Every card in a column knows its pile:
    uint8_t column[52]
    uint8_t under[52]
    uint8_t below[52]       # what its run lies on
    uint64_t beneath[52]    # all cards under it
    uint64_t run[52]        # the card and those of its run under it
    Key pile[52]            # the key's share of the card and all beneath
    uint64_t owing          # cards whose run must be paid for
    uint64_t parked         # of those, cards whose run is paid for by parking
    # The settled position that helps() is asked about
    Relaxed settled
    Key core
    int value               # what it costs
    uint16_t tried
    uint16_t helpful

cdef struct Circle:
    int size
    int pay[4]              # the cards, on a column or loose, one of which is paid for


cdef inline void fill_circles(Bound *self) noexcept nogil:
    # The shortest circle of every function on four suits; who waits for himself is done.
    cdef int code, start, at, size, suits, shortest
    for code in range(256):
        self.circle[code] = 0
        shortest = 5
        for start in range(4):
            at = start
            size = suits = 0
            while not suits >> at & 1:
                suits |= 1 << at
                size += 1
                at = (code >> (2 * at)) & 3
            if at == start and 1 < size < shortest:
                shortest = size
                self.circle[code] = suits


cdef inline void prepare(
    Bound *self, const Rules *rules, Codes *codes, int policy, bint runs
) noexcept nogil:
    # For positions of one deal. `policy`: the home moves that cost nothing, ALL where either all
    # or none do.
    cdef int card, index, lag
    cdef uint64_t blacks = <uint64_t>SUIT_CARDS * 9, others
    self.rules = rules
    self.codes = codes
    fill_circles(self)
    self.runs = runs
    self.selective = policy == HORNE or (policy == SAFE and not builds_in_suit(rules))
    lag = 1 if policy == SAFE else 0
    for card in range(DECK):
        self.lower[card] = (<uint64_t>SUIT_CARDS << suit(card)) & (bit(card) - 1)
        others = blacks if suit(card) == 1 or suit(card) == 2 else ~blacks
        self.needs[card] = 0
        if self.selective and rank(card) >= 2:
            self.needs[card] = others & (bit(4 * (rank(card) - lag)) - 1)
        for index in range(CELL):
            self.gain[card][index].word[0] = self.gain[card][index].word[1] = 0
            self.gain[card][index].word[suit(card) >> 1] = (
                codes.term[card][index] - codes.term[card][CELL])
    self.root.word[0] = self.root.word[1] = codes.root
    for card in range(DECK):
        self.root.word[suit(card) >> 1] += codes.term[card][CELL]
    memset(self.homes, 0, sizeof(self.homes))
    for card in range(DECK):
        index = suit(card)
        self.homes[index][rank(card) + 1].word[index >> 1] = (
            self.homes[index][rank(card)].word[index >> 1]
            + codes.term[card][HOME] - codes.term[card][CELL])


cdef inline void forget(Bound *self) noexcept nogil:
    # Begins with few entries: clearing all there is room for takes 60 ms.
    self.mask = min(self.most, <uint64_t>FIRST_ENTRIES) - 1
    memset(self.entries, 0xFF, (self.mask + 1) * sizeof(Entry))


cdef inline void widen(Bound *self) noexcept nogil:
    # Four times as many entries; what was in the others is found again only where it still belongs.
    cdef uint64_t old = self.mask + 1
    self.mask = min(self.most, 4 * old) - 1
    memset(self.entries + old, 0xFF, (self.mask + 1 - old) * sizeof(Entry))


cdef inline void lay(Bound *self, int column, int card, int onto) noexcept nogil:
    # Notes that `card` lies on `onto`, a card laid before or FLOOR.
    cdef uint64_t self_bit = bit(card)
    cdef uint64_t owes = 0, parks = 0
    cdef Key *share = &self.gain[card][onto]
    self.column[card] = column
    self.under[card] = onto
    self.run[card] = self_bit
    self.below[card] = onto
    if onto == FLOOR:
        self.beneath[card] = 0
        self.pile[card] = share[0]
    else:
        self.beneath[card] = self.beneath[onto] | bit(onto)
        self.pile[card].word[0] = self.pile[onto].word[0] + share.word[0]
        self.pile[card].word[1] = self.pile[onto].word[1] + share.word[1]
        if self.runs and fits(self.rules, card, onto):
            self.run[card] |= self.run[onto]
            self.below[card] = self.below[onto]
            owes = (self.owing >> onto) & 1
            parks = (self.parked >> onto) & 1
        if self.beneath[card] & self.lower[card]:
            owes = parks = 1
        elif self.beneath[card] & self.needs[card]:
            owes = 1
    self.owing = (self.owing & ~self_bit) | owes << card
    self.parked = (self.parked & ~self_bit) | parks << card


cdef inline void lay_run(
    Bound *self, const State *state, int head, int last, int column, int onto
) noexcept nogil:
    # Notes that the run head..last of `state` lies on `onto` in a column.
    cdef int count = 0
    cdef uint8_t run[52]
    while last != head:
        run[count] = last
        count += 1
        last = state.under[last]
    lay(self, column, head, onto)
    while count:
        count -= 1
        lay(self, column, run[count], head)
        head = run[count]


cdef inline void lay_out(Bound *self, const State *state) noexcept nogil:
    # The whole position, every column from its floor up.
    cdef int index, card, onto, height
    cdef uint8_t column[52]
    self.owing = self.parked = 0
    for index in range(state.columns):
        height = 0
        card = state.top[index]
        while card != FLOOR:
            column[height] = card
            height += 1
            card = state.under[card]
        onto = FLOOR
        while height:
            height -= 1
            lay(self, index, column[height], onto)
            onto = column[height]


cdef inline void relax(Relaxed *relaxed, const State *state) noexcept nogil:
    cdef int index
    memcpy(relaxed.top, state.top, 13)
    relaxed.tops = state.tops
    relaxed.loose = state.celled
    relaxed.willing = 0
    relaxed.away = bit(DECK) - 1
    relaxed.due = 0
    relaxed.cost = 0
    for index in range(4):
        relaxed.away &= ~((<uint64_t>SUIT_CARDS << index) & (bit(4 * state.home[index]) - 1))
        if state.home[index] <= KING:
            relaxed.due |= bit(4 * state.home[index] + index)


cdef inline void bare(const Bound *self, Relaxed *relaxed, int top, int card) noexcept nogil:
    # `card`, or FLOOR, is now the end of the column that ended in `top`.
    relaxed.tops ^= bit(top)
    if card != FLOOR:
        relaxed.tops |= bit(card)
        relaxed.top[self.column[top]] = card


cdef inline void pay(const Bound *self, Relaxed *relaxed, int card) noexcept nogil:
    # For the run that ends in `card`, or for `card` alone where it is loose.
    relaxed.cost += 1
    if relaxed.loose & bit(card):
        relaxed.willing |= bit(card)
        return
    relaxed.loose |= self.run[card]
    if not self.parked & bit(card):
        relaxed.willing |= self.run[card]
    bare(self, relaxed, card, self.below[card])


cdef inline void settle(const Bound *self, Relaxed *relaxed) noexcept nogil:
    # Pays what has to be paid and plays home what goes, until nothing more does.
    cdef uint64_t cards = relaxed.tops & self.owing
    cdef int card
    cdef bint stuck = False
    while True:
        while cards:
            card = lowest(cards)
            pay(self, relaxed, card)
            cards = relaxed.tops & self.owing
        if stuck:
            return
        stuck = True
        cards = (relaxed.tops | relaxed.loose) & relaxed.due
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            if self.needs[card] & relaxed.away and not relaxed.willing & bit(card):
                continue
            stuck = False
            relaxed.away ^= bit(card)
            relaxed.due ^= bit(card)
            if rank(card) != KING:
                relaxed.due |= bit(card + 4)
            if relaxed.loose & bit(card):
                relaxed.loose ^= bit(card)
            else:
                bare(self, relaxed, card, self.under[card])
        cards = relaxed.tops & self.owing


cdef inline void find_circle(
    const Bound *self, const Relaxed *relaxed, Circle *circle
) noexcept nogil:
    # The shortest circle of suits that wait for each other, in a settled position that is not won.
    cdef int payee[4]
    cdef int card, index, code = 0xE4  # every suit waits for itself
    cdef uint64_t due = relaxed.due, free = relaxed.tops | relaxed.loose
    while due:
        card = lowest(due)
        due &= due - 1
        index = suit(card)
        if free & bit(card):
            payee[index] = card
            card = lowest(self.needs[card] & relaxed.away)
        else:
            card = relaxed.top[self.column[card]]
            payee[index] = card
        code ^= (index ^ suit(card)) << (2 * index)
    code = self.circle[code]
    circle.size = 0
    while code:
        circle.pay[circle.size] = payee[lowest(code)]
        circle.size += 1
        code &= code - 1


cdef inline int separate_circles(
    const Bound *self, const Relaxed *stuck, uint64_t kept, int enough
) noexcept nogil:
    # At least so much more has to be paid: all ends of a circle are parked for the price of one.
    # Counts no further than `enough`.
    cdef Relaxed relaxed = stuck[0]
    cdef Circle circle
    cdef int index, cost
    relaxed.cost = 0
    while relaxed.due and relaxed.cost < enough:
        find_circle(self, &relaxed, &circle)
        cost = relaxed.cost
        for index in range(circle.size):
            if not kept & bit(circle.pay[index]):
                pay(self, &relaxed, circle.pay[index])
        if relaxed.cost == cost:
            return ENDLESS
        relaxed.cost = cost + 1
        settle(self, &relaxed)
    return relaxed.cost


cdef inline void core_key(const Bound *self, const Relaxed *relaxed, Key *key) noexcept nogil:
    cdef uint64_t cards = relaxed.tops
    cdef int card, index, home
    key[0] = self.root
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        key.word[0] += self.pile[card].word[0]
        key.word[1] += self.pile[card].word[1]
    for index in range(4):
        cards = relaxed.due & (<uint64_t>SUIT_CARDS << index)
        home = rank(lowest(cards)) if cards else 13
        key.word[index >> 1] += self.homes[index][home].word[index >> 1]


cdef inline uint64_t tag_of(const Bound *self, const Relaxed *stuck) noexcept nogil:
    # What besides its key a stuck position's cost depends on: the cards that may go home at will,
    # where not all may.
    return stuck.willing & stuck.away if self.selective else 0


cdef inline Entry *entry_of(const Bound *self, const Key *key, uint64_t tag) noexcept nogil:
    # Where what is known of a stuck position is remembered.
    return &self.entries[(key_hash(key) ^ (tag * <uint64_t>0x9E3779B97F4A7C15 >> 32)) & self.mask]


cdef inline int remembered(const Entry *entry, const Key *key, uint64_t tag) noexcept nogil:
    # [exact][value], 0 where nothing is known.
    if (entry.word[0] == key.word[0] and entry.word[1] == key.word[1]
            and not (entry.rest ^ tag) << (64 - VALUE_SHIFT)):
        return <int>(entry.rest >> VALUE_SHIFT)
    return 0


cdef inline int least(
    Bound *self, const Relaxed *stuck, uint64_t kept, int floor, int ceiling
) noexcept nogil:
    # What a settled position costs at least where nothing is paid for the cards `kept`, if it is
    # `floor` or more. Exact below `ceiling`; else a lower bound that is not below it.
    cdef Relaxed after
    cdef Circle circle
    cdef Key key
    cdef Entry *entry
    cdef uint64_t tag = tag_of(self, stuck)
    cdef int index, value, best
    cdef bint storable
    if not stuck.due:
        return 0
    kept &= stuck.away
    storable = not kept
    core_key(self, stuck, &key)
    entry = entry_of(self, &key, tag)
    value = remembered(entry, &key, tag)
    if (value & EXACT and not kept) or (value & ~EXACT) >= ceiling:
        return value & ~EXACT
    floor = max(floor, value & ~EXACT)  # with cards kept it costs no less
    floor = max(floor, separate_circles(self, stuck, kept, ceiling))
    best = max(floor, ceiling)
    find_circle(self, stuck, &circle)
    for index in range(circle.size):
        if best <= floor:
            break
        if kept & bit(circle.pay[index]):
            continue
        after = stuck[0]
        after.cost = 0
        pay(self, &after, circle.pay[index])
        settle(self, &after)
        value = after.cost + least(self, &after, kept, floor - after.cost, best - after.cost)
        best = min(best, value)
        kept |= self.run[circle.pay[index]]
    if storable:
        entry.word[0] = key.word[0]
        entry.word[1] = key.word[1]
        value = best | EXACT if best < ceiling else min(best, EXACT - 1)
        entry.rest = tag | <uint64_t>value << VALUE_SHIFT
        entry.tried = entry.helpful = 0
    return best


cdef inline int total(
    Bound *self, const Relaxed *settled, int floor, int ceiling
) noexcept nogil:
    # What a settled position costs, what was paid before included; the rest as in least().
    if not settled.due or settled.cost >= ceiling:
        return settled.cost
    return settled.cost + least(
        self, settled, 0, floor - settled.cost, ceiling - settled.cost)


cdef inline int extra(
    Bound *self, const State *state, int floor, int ceiling
) noexcept nogil:
    # The bound of a position that lies in `self` (lay_out, lay_run).
    cdef Relaxed relaxed
    relax(&relaxed, state)
    settle(self, &relaxed)
    return total(self, &relaxed, floor, ceiling)


cdef inline void consult(Bound *self, const State *state, int value) noexcept nogil:
    # Prepares helps() for a position that lies in `self` and costs `value`.
    cdef Entry *entry
    cdef uint64_t tag
    relax(&self.settled, state)
    settle(self, &self.settled)
    self.value = value
    self.tried = self.helpful = 0
    if not self.settled.due:
        return
    core_key(self, &self.settled, &self.core)
    tag = tag_of(self, &self.settled)
    entry = entry_of(self, &self.core, tag)
    if remembered(entry, &self.core, tag):
        self.tried = entry.tried
        self.helpful = entry.helpful


cdef inline bint is_tried(const Bound *self, int card) noexcept nogil:
    # Is it known whether helps()?
    return self.tried >> popcount(self.settled.tops & (bit(card) - 1)) & 1


cdef inline bint helps(Bound *self, int card) noexcept nogil:
    # Would the settled position cost less if the run that ends in `card`, an end of it, were loose
    # and willing?
    cdef Relaxed relaxed
    cdef Entry *entry
    cdef uint64_t tag
    cdef uint16_t flag = 1 << popcount(self.settled.tops & (bit(card) - 1))
    if not self.tried & flag:
        relaxed = self.settled
        pay(self, &relaxed, card)
        relaxed.willing |= self.run[card]
        settle(self, &relaxed)
        self.tried |= flag
        if total(self, &relaxed, 0 if self.selective else self.value, self.value + 1) <= self.value:
            self.helpful |= flag
        tag = tag_of(self, &self.settled)
        entry = entry_of(self, &self.core, tag)
        entry.word[0] = self.core.word[0]
        entry.word[1] = self.core.word[1]
        entry.rest = tag | <uint64_t>(self.value - self.settled.cost | EXACT) << VALUE_SHIFT
        entry.tried = self.tried
        entry.helpful = self.helpful
    return self.helpful & flag != 0
