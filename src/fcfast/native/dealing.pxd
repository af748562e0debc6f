# The shuffle of numbered deals, forwards in bulk and backwards from a layout. Cimports card.
#
# A deal steps a 32-bit linear congruential generator 52 times; each step's high half, as its span
# of numbers takes it, picks one of the cards left:
#
#     span                    state before the first step   word
#     0  number < 2**31       number                        15 bits
#     1  number < 2**32       number                        15 bits, and bit 15 set
#     2  number < 2**33       number - 2**32                16 bits, plus one
#
# In spans 0 and 1 bit 31 of the state reaches no word, so states there count modulo 2**31.

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from fcfast.native.card cimport DECK, bit

cdef enum:
    MULTIPLIER = 214013
    INCREMENT = 2531011
    INVERSE = 3115528533    # MULTIPLIER * INVERSE = 1 modulo 2**32

cdef struct Wanted:
    uint64_t cards[DECK]    # per card dealt, first to last, the set of those it may be


cdef inline int span_of(uint64_t number) noexcept nogil:
    return 2 if number >> 32 else <int>(number >> 31)


cdef inline uint32_t word_of(int span, uint32_t half) noexcept nogil:
    # The word made of the high half of a state.
    if span == 2:
        return half + 1
    return (half & 0x7fff) | (<uint32_t>span << 15)


cdef inline uint32_t next_state(uint32_t state) noexcept nogil:
    return state * <uint32_t>MULTIPLIER + <uint32_t>INCREMENT


cdef inline void fresh_deck(uint8_t *deck) noexcept nogil:
    cdef int card
    for card in range(DECK):
        deck[card] = <uint8_t>card


cdef inline int draw(uint8_t *deck, int left, uint32_t word) noexcept nogil:
    # Takes a card out of the first `left` of the deck; the last of them fills the gap.
    cdef uint32_t index = word % <uint32_t>left
    cdef int card = deck[index]
    deck[index] = deck[left - 1]
    return card


cdef inline void deal_order(uint64_t number, uint8_t *order) noexcept nogil:
    # The 52 cards of a deal, in the order they are dealt.
    cdef uint8_t deck[DECK]
    cdef uint32_t state = <uint32_t>number
    cdef int span = span_of(number), dealt
    fresh_deck(deck)
    for dealt in range(DECK):
        state = next_state(state)
        order[dealt] = <uint8_t>draw(deck, DECK - dealt, word_of(span, state >> 16))


cdef inline bint deals_wanted(
    const Wanted *wanted, int span, uint32_t state, uint8_t *deck, int dealt
) noexcept nogil:
    # Are the cards wanted that follow the first `dealt`, after which `state` and `deck` are left?
    while dealt < DECK:
        state = next_state(state)
        if not wanted.cards[dealt] & bit(draw(deck, DECK - dealt, word_of(span, state >> 16))):
            return False
        dealt += 1
    return True


cdef inline int64_t next_wanted(
    const Wanted *wanted, int span, uint32_t half, uint32_t *low
) noexcept nogil:
    # The next number of a span whose deal is as wanted and whose first step leads to a state with
    # this high half; low halves are tried from *low, which moves on. -1 where there is none.
    #
    # The high half alone tells the first card, the same for all 65,536 low halves: 51 of 52 high
    # halves are dropped at once. What is left is decided by the second card, nearly always.
    cdef uint8_t deck[DECK]
    cdef uint8_t rest[DECK]
    cdef uint32_t state, second, index
    cdef uint64_t fitting = 0
    fresh_deck(deck)
    if not wanted.cards[0] & bit(draw(deck, DECK, word_of(span, half))):
        return -1
    for index in range(DECK - 1):
        if wanted.cards[1] & bit(deck[index]):
            fitting |= bit(index)
    while low[0] < 0x10000:
        state = half << 16 | low[0]
        low[0] += 1
        second = next_state(state)
        if not fitting & bit(word_of(span, second >> 16) % (DECK - 1)):
            continue
        memcpy(rest, deck, DECK)
        if deals_wanted(wanted, span, state, rest, 1):
            state = (state - <uint32_t>INCREMENT) * <uint32_t>INVERSE
            if span == 2:
                return (<int64_t>1 << 32) + state
            return (<int64_t>span << 31) + (state & 0x7fffffff)
    return -1
