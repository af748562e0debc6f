# A card is an int 0..51, four times its rank plus its suit, as in cards.py. Cimports nothing.
#
# What a card can lie on besides another card has a number too, so that "what lies under each
# card" is one byte: the floor of a column, a cell, a foundation.

from libc.stdint cimport uint64_t

cdef enum:
    DECK = 52
    KING = 12
    FLOOR = 52      # deepest in its column; also the top of an empty column
    CELL = 53
    HOME = 54
    PLACES = 55     # 0..51 a card, then FLOOR, CELL, HOME
    NO_CARD = 255   # an empty cell


cdef inline int rank(int card) noexcept nogil:
    return card >> 2


cdef inline int suit(int card) noexcept nogil:
    return card & 3


cdef inline int twin(int card) noexcept nogil:
    # The other card of its rank and colour.
    return card ^ 3


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card
