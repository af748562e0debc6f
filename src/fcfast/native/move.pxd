# A move in 16 bits: a card, with all that lies on it, and what it is put on.
#
#     15   12 11        6 5         0
#     [source] [  onto   ] [  card   ]
#
# card    0..51, the deepest of the run
# onto    a card, FLOOR (an empty column), CELL or HOME
# source  the column it comes from, 0..12, or FROM_CELL
#
# Which empty column or which cell does not matter to the rules, so it is not said; the count
# follows from the column. Columns and cells by number come back in when a path is written out.

from libc.stdint cimport uint16_t

ctypedef uint16_t Move

cdef enum:
    FROM_CELL = 15
    NO_MOVE = 0xFFFF


cdef inline Move make_move(int card, int onto, int source) noexcept nogil:
    return <Move>(card | onto << 6 | source << 12)


cdef inline int move_card(Move move) noexcept nogil:
    return move & 63


cdef inline int move_onto(Move move) noexcept nogil:
    return (move >> 6) & 63


cdef inline int move_source(Move move) noexcept nogil:
    return move >> 12
