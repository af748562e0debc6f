# A position with the sums of its net at hand, in 160 bytes, for searches that hold very many.
#
# The sums are those of spread.pxd, which says what Ground is; there, columns can be read as well.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memset

from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, NO_CARD, bit
from fcfast.native.move cimport FROM_CELL, Move, move_card, move_onto, move_source
from fcfast.native.movegen cimport Undo, apply
from fcfast.native.net cimport output_row, value_of
from fcfast.native.spread cimport OWN, Ground, lay_ground
from fcfast.native.state cimport State
from fcfast.native.vector cimport Vector, fetch, keep, minus, plus

cdef struct Valued:
    State state
    uint64_t unmoved        # cards that lie where they lay at the root, and FLOOR
    int16_t sums[16]


cdef inline void value_root(Valued *self, Ground *ground, const State *root) noexcept nogil:
    cdef Vector sums = fetch(ground.net.bias)
    cdef uint8_t cards[53]
    cdef int index, card, height, last
    memset(ground.row[FLOOR], 0, sizeof(ground.row[FLOOR]))
    self.state = root[0]
    self.unmoved = bit(FLOOR)
    for index in range(root.cells):
        if root.cell[index] != NO_CARD:
            sums = plus(sums, fetch(ground.net.on[root.cell[index]][CELL]))
    for index in range(root.columns):
        height = 0
        card = root.top[index]
        while card != FLOOR:
            height += 1
            card = root.under[card]
        last = height
        card = root.top[index]
        while card != FLOOR:
            cards[last] = card
            last -= 1
            card = root.under[card]
        lay_ground(ground, cards, height)
        for last in range(1, height + 1):
            card = cards[last]
            self.unmoved |= bit(card)
            sums = plus(sums, fetch(ground.net.on[card][root.under[card]]))
            sums = plus(sums, fetch(ground.row[OWN][card]))
    keep(self.sums, sums)


cdef inline int last_unmoved(const Valued *self, int card) noexcept nogil:
    # The card, or the first one under it that is unmoved, or FLOOR.
    while not self.unmoved & bit(card):
        card = self.state.under[card]
    return card


cdef inline int last_of(const Valued *self, Move move) noexcept nogil:
    # The last card of the run that moves.
    if move_source(move) == FROM_CELL:
        return move_card(move)
    return self.state.top[move_source(move)]


cdef inline Vector lifted(
    const Valued *self, const Ground *ground, int card, int last
) noexcept nogil:
    # The sums without the run card..last.
    cdef int under = self.state.under[card]
    cdef Vector sums = minus(fetch(self.sums), fetch(ground.net.on[card][under]))
    if under == CELL:
        return sums
    while True:
        if self.unmoved & bit(last):
            sums = minus(sums, fetch(ground.row[OWN][last]))
        else:
            under = last_unmoved(self, self.state.under[last])
            sums = minus(sums, fetch(ground.row[under][last]))
        if last == card:
            return sums
        last = self.state.under[last]


cdef inline Vector laid(
    const Valued *self, const Ground *ground, int card, int last, int onto, Vector sums
) noexcept nogil:
    # These sums with the run on a card, FLOOR, CELL or HOME.
    cdef int unmoved
    if onto == HOME:
        return sums
    sums = plus(sums, fetch(ground.net.on[card][onto]))
    if onto >= FLOOR:
        return sums
    unmoved = last_unmoved(self, onto)
    while True:
        sums = plus(sums, fetch(ground.row[unmoved][last]))
        if last == card:
            return sums
        last = self.state.under[last]


cdef inline int32_t value_after(
    const Valued *self, const Ground *ground, int card, int onto, Vector sums
) noexcept nogil:
    # The value after a move that gives these sums.
    cdef const State *state = &self.state
    cdef int under = state.under[card]
    return value_of(ground.net, sums, output_row(
        ground.net, state.cells, state.cells - state.free_cells - (under == CELL) + (onto == CELL),
        state.empty_columns + (under == FLOOR) - (onto == FLOOR)))


cdef inline int32_t value(const Valued *self, const Ground *ground) noexcept nogil:
    cdef const State *state = &self.state
    return value_of(ground.net, fetch(self.sums), output_row(
        ground.net, state.cells, state.cells - state.free_cells, state.empty_columns))


cdef inline void play(Valued *self, const Ground *ground, Move move, Undo *undo) noexcept nogil:
    # Makes a move.
    cdef int card = move_card(move), last = last_of(self, move), onto = move_onto(move)
    keep(self.sums, laid(
        self, ground, card, last, onto, lifted(self, ground, card, last)))
    apply(&self.state, move, undo)
    while last != card:
        self.unmoved &= ~bit(last)
        last = self.state.under[last]
    self.unmoved &= ~bit(card)
