# The position as it lies: columns of cards with what a search wants to know of them at hand, and
# the sums of its net. For searches that read whole columns; state.pxd is smaller.
#
# Card 1 of a column is its deepest; FLOOR lies at 0, so that what lies under a card needs no test.
# A card's place is its column, its cell (CELL_PLACE + number) or HOME_PLACE, as in a step.
#
# Cards never moved lie in every column at the bottom. What lies on them is runs, where each card
# fits the one under it, or ends there; so of the cards below, only those never moved can be lower
# in rank. The sum of a net's rows for a card above all of these is therefore told by the card and
# the last of them, of higher rank. All such sums are made with the root (Ground): less than half of
# 52 times 52.

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from fcfast.native.card cimport CELL, DECK, FLOOR, NO_CARD, bit, rank, suit
from fcfast.native.movegen cimport lowest
from fcfast.native.net cimport Net
from fcfast.native.replay cimport CELL_PLACE, HOME_PLACE
from fcfast.native.rules cimport Rules, fits
from fcfast.native.state cimport State
from fcfast.native.vector cimport WIDE, Vector, fetch, keep, minus, plus

cdef enum:
    SPREAD_COLUMNS = 10
    HIGHEST = 23            # cards in a column
    OWN = 53

cdef struct Spread:
    int16_t sums[16]
    uint64_t due            # the next card of every suit that is not complete
    uint64_t tops           # last cards of columns
    uint64_t celled         # cards in cells
    uint64_t movable        # cards of the runs that end columns
    uint64_t heads          # the deepest card of each such run
    uint8_t height[10]
    uint8_t deep[10]        # per column how many cards, from its floor, were never moved
    uint8_t where[52]       # place of each card
    uint8_t home[4]
    uint16_t free           # bit per free cell
    uint8_t used            # cells
    uint8_t empty           # columns
    uint8_t left            # cards not home
    uint8_t column[10][24]
    uint8_t filler[23]      # to a multiple of 32 bytes

cdef struct Ground:
    const Net *net
    # [last unmoved card under it, or FLOOR][card of lower rank], and [OWN][card where it lay].
    int16_t row[54][52][16]


cdef inline bint can_spread(const State *state) noexcept nogil:
    # Do all columns fit whatever is played? On a card of rank r go at most r more.
    cdef int column, card, height, above
    if state.columns > SPREAD_COLUMNS:
        return False
    for column in range(state.columns):
        height = 0
        card = state.top[column]
        while card != FLOOR:
            height += 1
            card = state.under[card]
        above = 0
        card = state.top[column]
        while card != FLOOR:
            if height - above + rank(card) > HIGHEST:
                return False
            above += 1
            card = state.under[card]
    return True


cdef inline void lay_bare(Spread *spread, const Rules *rules, int column) noexcept nogil:
    # Takes the run that ends a column into `movable` and `heads`.
    cdef const uint8_t *cards = spread.column[column]
    cdef int index = spread.height[column]
    cdef uint64_t run = bit(cards[index])
    while fits(rules, cards[index], cards[index - 1]):
        index -= 1
        run |= bit(cards[index])
    spread.movable |= run
    spread.heads |= bit(cards[index])


cdef inline void lay_ground(Ground *self, const uint8_t *cards, int height) noexcept nogil:
    # The rows of a column.
    cdef int16_t below[52][16]
    cdef int index, card, above
    memset(below, 0, sizeof(below))
    for index in range(1, height + 1):
        card = cards[index]
        keep(self.row[OWN][card], fetch(below[card]))
        for above in range(4 * rank(card)):
            keep(self.row[card][above], fetch(below[above]))
        for above in range(4 * rank(card) + 4, DECK):
            keep(below[above], plus(fetch(below[above]), fetch(self.net.above[card][above])))


cdef inline void spread_state(
    Spread *spread, const Rules *rules, Ground *ground, const State *state, const uint8_t *relabel
) noexcept nogil:
    # Lays a state out, each card as relabel[card], and makes it the root.
    cdef const Net *net = ground.net
    cdef int index, card, height
    cdef int under
    cdef Vector sums = fetch(net.bias)
    memset(spread, 0, sizeof(Spread))
    memset(ground.row[FLOOR], 0, sizeof(ground.row[FLOOR]))
    for index in range(4):
        spread.home[relabel[index]] = state.home[index]
        spread.left += 13 - state.home[index]
        if state.home[index] < 13:
            spread.due |= bit(4 * state.home[index] + relabel[index])
    for index in range(state.cells):
        if state.cell[index] == NO_CARD:
            spread.free |= 1 << index
            continue
        card = relabel[state.cell[index]]
        spread.celled |= bit(card)
        spread.where[card] = CELL_PLACE + index
        spread.used += 1
        sums = plus(sums, fetch(net.on[card][CELL]))
    for index in range(state.columns):
        height = 0
        card = state.top[index]
        while card != FLOOR:
            height += 1
            card = state.under[card]
        spread.height[index] = height
        spread.empty += height == 0
        card = state.top[index]
        while card != FLOOR:
            spread.column[index][height] = relabel[card]
            height -= 1
            card = state.under[card]
        lay_ground(ground, spread.column[index], spread.height[index])
        spread.column[index][0] = under = FLOOR
        for height in range(1, spread.height[index] + 1):
            card = spread.column[index][height]
            spread.where[card] = index
            sums = plus(sums, fetch(net.on[card][under]))
            sums = plus(sums, fetch(ground.row[OWN][card]))
            under = card
        spread.deep[index] = spread.height[index]
        if under != FLOOR:
            spread.tops |= bit(under)
            lay_bare(spread, rules, index)
    keep(spread.sums, sums)


cdef inline void copy_spread(Spread *to, const Spread *spread) noexcept nogil:
    # 32 bytes at a time: memcpy() of so much becomes a slow `rep movs`.
    cdef int index
    for index in range(<int>sizeof(Spread) // 32):
        keep(<int16_t *>to + WIDE * index, fetch(<const int16_t *>spread + WIDE * index))


cdef inline int run_from(const Spread *spread, int card) noexcept nogil:
    # How many cards a movable card's run has from it to the end of its column.
    cdef int column = spread.where[card]
    return rank(card) - rank(spread.column[column][spread.height[column]]) + 1


cdef inline Vector lift(
    const Spread *spread, Ground *ground, int card, int count, Vector sums
) noexcept nogil:
    # The sums without the run of `count` cards from `card` on, which ends a column.
    cdef int column = spread.where[card], deep = spread.deep[column], index
    cdef int first = spread.height[column] - count + 1
    cdef const uint8_t *cards = spread.column[column]
    sums = minus(sums, fetch(ground.net.on[card][cards[first - 1]]))
    for index in range(first, first + count):
        card = cards[index]
        sums = minus(sums, fetch(ground.row[OWN if index <= deep else cards[deep]][card]))
    return sums


cdef inline Vector lay(
    const Spread *spread, Ground *ground, int card, int count, int column, Vector sums
) noexcept nogil:
    # The sums with that run, or a card from a cell, on another column.
    cdef int last = spread.column[column][spread.deep[column]], index, source = spread.where[card]
    cdef const uint8_t *run
    sums = plus(sums, fetch(ground.net.on[card][spread.column[column][spread.height[column]]]))
    sums = plus(sums, fetch(ground.row[last][card]))
    if count > 1:
        run = spread.column[source] + spread.height[source] - count + 1
        for index in range(1, count):
            sums = plus(sums, fetch(ground.row[last][run[index]]))
    return sums


cdef inline Vector moved_sums(
    const Spread *spread, Ground *ground, int card, int count, int place
) noexcept nogil:
    # The sums after the move of a run, or a card, to a place.
    cdef Vector sums = fetch(spread.sums)
    if spread.celled & bit(card):
        sums = minus(sums, fetch(ground.net.on[card][CELL]))
    else:
        sums = lift(spread, ground, card, count, sums)
    if place < CELL_PLACE:
        return lay(spread, ground, card, count, place, sums)
    if place == HOME_PLACE:
        return sums
    return plus(sums, fetch(ground.net.on[card][CELL]))


cdef inline int run_of(const Spread *spread, int card) noexcept nogil:
    # How many cards move with a card from wherever it lies.
    return 1 if spread.celled & bit(card) else run_from(spread, card)


cdef inline void carry_run(
    Spread *spread, const Rules *rules, int card, int count, int place
) noexcept nogil:
    # Moves a card, with what lies on it, to a place, but for the sums. The masks stay right because
    # on a card it fits a run is still a run.
    cdef int source = spread.where[card]
    if place < CELL_PLACE:
        put_on_column(spread, card, count, place)
    elif place == HOME_PLACE:
        spread.home[suit(card)] += 1
        spread.left -= 1
        spread.due = (spread.due ^ bit(card) | bit(card + 4)) & (bit(DECK) - 1)
    else:
        place = CELL_PLACE + lowest(spread.free)
        spread.free ^= 1 << (place - CELL_PLACE)
        spread.used += 1
        spread.celled |= bit(card)
    if source >= CELL_PLACE:
        spread.celled ^= bit(card)
        spread.free |= 1 << (source - CELL_PLACE)
        spread.used -= 1
    else:
        take_off_column(spread, rules, card, count, source, place)
    if place >= CELL_PLACE:
        spread.where[card] = place
    elif spread.height[place] == count:
        spread.heads |= bit(card)


cdef inline void put_on_column(Spread *spread, int card, int count, int place) noexcept nogil:
    # From where the cards still are.
    cdef int source = spread.where[card], index
    cdef uint8_t *onto = spread.column[place] + spread.height[place]
    cdef const uint8_t *run
    if onto[0] == FLOOR:
        spread.empty -= 1
    else:
        spread.tops ^= bit(onto[0])
    spread.height[place] += count
    if source >= CELL_PLACE:
        onto[1] = card
        spread.where[card] = place
        spread.tops |= bit(card)
        spread.movable |= bit(card)
        return
    run = spread.column[source] + spread.height[source] - count + 1
    for index in range(count):
        onto[index + 1] = run[index]
        spread.where[run[index]] = place


cdef inline void take_off_column(
    Spread *spread, const Rules *rules, int card, int count, int source, int place
) noexcept nogil:
    # After the run has been put on a column, or for a card that goes elsewhere.
    cdef const uint8_t *cards = spread.column[source]
    cdef int under = spread.height[source] - count, bared = cards[under]
    spread.height[source] = under
    spread.deep[source] = min(spread.deep[source], under)
    if place >= CELL_PLACE:
        spread.movable ^= bit(card)
        spread.tops ^= bit(card)
    if bared == FLOOR:
        spread.empty += 1
        spread.heads &= ~bit(card)
        return
    spread.tops |= bit(bared)
    if spread.heads & bit(card):
        spread.heads ^= bit(card)
        lay_bare(spread, rules, source)


cdef inline bint spread_ok(const Spread *spread, const Rules *rules, const Net *net) noexcept nogil:
    # Everything derived recomputed: for debug builds.
    cdef Spread fresh = spread[0]
    cdef int column, index, below, card, seen = 0
    cdef uint64_t celled = 0, due = 0
    cdef Vector sums = fetch(net.bias)
    fresh.tops = fresh.movable = fresh.heads = 0
    fresh.empty = 0
    for column in range(rules.columns):
        if spread.column[column][0] != FLOOR:
            return False
        for index in range(1, HIGHEST + 1):
            card = spread.column[column][index]
            if index > spread.height[column]:
                continue
            if card >= DECK or spread.where[card] != column:
                return False
            seen += 1
            sums = plus(sums, fetch(net.on[card][spread.column[column][index - 1]]))
            for below in range(1, index):
                sums = plus(sums, fetch(net.above[spread.column[column][below]][card]))
        if spread.height[column]:
            fresh.tops |= bit(spread.column[column][spread.height[column]])
            lay_bare(&fresh, rules, column)
        else:
            fresh.empty += 1
    for card in range(DECK):
        if spread.where[card] >= CELL_PLACE and spread.where[card] != HOME_PLACE:
            celled |= bit(card)
            seen += 1
            sums = plus(sums, fetch(net.on[card][CELL]))
            if (spread.free >> (spread.where[card] - CELL_PLACE)) & 1:
                return False
    for index in range(4):
        due |= bit(4 * spread.home[index] + index) & (bit(DECK) - 1)
    keep(fresh.sums, sums)
    for index in range(WIDE):
        if fresh.sums[index] != spread.sums[index]:
            return False
    return (
        seen == spread.left and due == spread.due and celled == spread.celled
        and fresh.tops == spread.tops
        and fresh.movable == spread.movable and fresh.heads == spread.heads
        and fresh.empty == spread.empty
    )
