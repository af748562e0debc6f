# Which cards go home by themselves: the policies of autoplay.py, native.
#
# SAFE keeps winnability in every variant. Where columns build in suit, all that could ever lie on
# a card that is due is home already. Where they build in alternating colours a card may go once
# both opposite colours are home to rank N-1, or to N-2 with the same colour's other suit at N-3
# (JAIR 85:21, Appendix B).

from fcfast.native.card cimport FLOOR, HOME, bit, rank, suit
from fcfast.native.move cimport FROM_CELL, Move, make_move
from fcfast.native.movegen cimport is_due
from fcfast.native.rules cimport Rules, builds_in_suit
from fcfast.native.state cimport State, column_with_top

cdef enum Autoplay:
    OFF = 0
    HORNE = 1
    SAFE = 2
    ALL = 3


cdef inline bint goes_by_itself(
    const Rules *rules, int policy, int card, const unsigned char *home
) noexcept nogil:
    # Does a card that is due go home under the policy?
    cdef int level = rank(card), opposite = suit(card) ^ 1, lower
    if policy == ALL or (policy == SAFE and builds_in_suit(rules)):
        return True
    if policy == OFF:
        return False
    lower = min(home[opposite], home[3 - opposite])
    if level <= 1 or lower >= level:
        return True
    return policy == SAFE and lower >= level - 1 and home[3 - suit(card)] >= level - 2


cdef inline Move next_home_move(const State *state, const Rules *rules, int policy) noexcept nogil:
    # The home move that the policy makes now, lowest suit first, or 0 (never a home move).
    cdef int index, card
    for index in range(4):
        card = 4 * state.home[index] + index
        if state.home[index] == 13 or not (state.tops | state.celled) & bit(card):
            continue
        if goes_by_itself(rules, policy, card, state.home):
            if state.celled & bit(card):
                return make_move(card, HOME, FROM_CELL)
            return make_move(card, HOME, column_with_top(state, card))
    return 0


cdef inline bint goes_if_bare(
    const State *state, const Rules *rules, int policy, int card
) noexcept nogil:
    # Would the card, or the FLOOR or CELL of that number, go by itself once laid bare? Where
    # nothing else goes by itself no other can after a move that is not home.
    return (
        card < FLOOR and is_due(state, card) and goes_by_itself(rules, policy, card, state.home))
