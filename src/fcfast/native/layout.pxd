# A numbered deal as a packed board, laid out as deals.py does it.

from libc.stdint cimport uint8_t, uint64_t

from fcfast.native.card cimport DECK, NO_CARD, rank, suit
from fcfast.native.dealing cimport deal_order

cdef struct Layout:
    int columns
    int cells
    int dealt_to_cells      # the last cards of the deck start there
    bint beak               # Penguin: the first card's three equals start at home


cdef inline int lay_out_deal(const Layout *layout, uint64_t number, uint8_t *packed) noexcept nogil:
    # Writes what state.load() reads; returns the number of bytes.
    cdef uint8_t order[DECK]
    cdef int count = DECK, index, column, in_columns, size
    deal_order(number, order)
    packed[0] = <uint8_t>layout.columns
    packed[1] = <uint8_t>layout.cells
    packed[2] = packed[3] = packed[4] = packed[5] = 0
    if layout.beak:
        count = set_beak(order, packed + 2)
    in_columns = count - layout.dealt_to_cells
    size = 6
    for index in range(layout.cells):
        packed[size] = order[in_columns + index] if in_columns + index < count else NO_CARD
        size += 1
    for column in range(layout.columns):
        packed[size] = <uint8_t>((in_columns - column + layout.columns - 1) // layout.columns)
        size += 1
        index = column
        while index < in_columns:
            packed[size] = order[index]
            size += 1
            index += layout.columns
    return size


cdef inline int set_beak(uint8_t *order, uint8_t *home) noexcept nogil:
    # Sends the first card's equals home and counts ranks from it; returns how many cards are left.
    cdef int beak = order[0], index, count = 0
    for index in range(4):
        home[index] = index != suit(beak)
    for index in range(DECK):
        if index == 0 or rank(order[index]) != rank(beak):
            order[count] = <uint8_t>(
                4 * ((rank(order[index]) - rank(beak) + 13) % 13) + suit(order[index]))
            count += 1
    return count
