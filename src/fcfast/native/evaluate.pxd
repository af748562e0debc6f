# Every heuristic, with where its numbers come from.

from fcfast.native.card cimport DECK, FLOOR, rank, suit
from fcfast.native.rules cimport Rules, fits
from fcfast.native.state cimport State


cdef inline int disorder(const State *state, const Rules *rules) noexcept nogil:
    # How far from won: lower is better. Counts cards to go home, cards that lie above a lower
    # card of their own suit (each must move away before), neighbours that do not build, and cells
    # in use. Works for every variant. The weights were chosen by trial on half of the 121 deals of
    # 7000001..8000000 that the fast search leaves and that can be won.
    cdef int column, card, onto, index
    cdef int left = DECK - (state.home[0] + state.home[1] + state.home[2] + state.home[3])
    cdef int blocking = 0, breaks = 0
    cdef int highest[4]
    for column in range(state.columns):
        card = state.top[column]
        highest[0] = highest[1] = highest[2] = highest[3] = -1
        while card != FLOOR:
            onto = state.under[card]
            index = suit(card)
            if rank(card) < highest[index]:
                blocking += 1
            else:
                highest[index] = rank(card)
            if onto != FLOOR and not fits(rules, card, onto):
                breaks += 1
            card = onto
    return (left + 3 * blocking + 3 * breaks
            + 6 * (state.cells - state.free_cells) - 5 * state.empty_columns)
