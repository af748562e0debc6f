# The evaluation as a small net: what its numbers are, and one made by hand for any rules.
#
# A position is valued by what every card lies on directly, and by which lower-ranked cards it lies
# above in its column. Each such fact adds one row of 16 numbers to the sums; what is above zero
# there, times an output row chosen by cells in use and empty columns, is the value: the moves still
# to make, in units of 1/ONE. Lower is better. A move changes few facts, so a child's sums are the
# parent's with a few rows added and taken away.
#
# bench/train/ makes the trained nets; weights.py reads them.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from fcfast.native.card cimport CELL, DECK, FLOOR, rank, suit
from fcfast.native.rules cimport MAX_CELLS, Rules, fits
from fcfast.native.vector cimport WIDE, Vector, product

cdef enum:
    UNIT = 128          # of a row's numbers
    ONE = 8192          # a move in the value: UNIT times 64, the unit of the output rows
    BESIDES = 54        # what a card lies on: 52 cards, FLOOR, CELL
    EMPTIES = 4         # output rows tell 0, 1, 2, 3 or more empty columns apart
    OUTPUTS = (MAX_CELLS + 1) * EMPTIES
    TRIGGERS = 16

cdef struct Net:
    int16_t on[52][54][16]          # [card][what it lies on]
    int16_t above[52][52][16]       # [card below, of lower rank; else zero][card]
    int16_t trigger[16][53][16]     # [what macros a move sets off][card laid bare], see lazy.pxd
    int16_t bias[16]
    int16_t output[44][16]          # [cells in use * EMPTIES + empty columns]
    int32_t rest[44]
    int32_t cells                   # it was made for

cdef enum:
    ABOVE_ROWS = 4 * 4 * 78         # per card of rank r the 4 * r lower ones
    NET_NUMBERS = WIDE * (DECK * BESIDES + ABOVE_ROWS + TRIGGERS * DECK + 1 + OUTPUTS)
    NET_BYTES = 2 * NET_NUMBERS + 4 * OUTPUTS + 4


cdef inline void load_net(Net *net, const uint8_t *packed) noexcept nogil:
    # Reads the NET_BYTES of a file after its header, in the order of the struct; `above` by card.
    cdef int card, below, index
    cdef const uint8_t *here = packed
    memset(net, 0, sizeof(Net))
    memcpy(net.on, here, sizeof(net.on))
    here += sizeof(net.on)
    for card in range(DECK):
        for below in range(4 * rank(card)):
            memcpy(net.above[below][card], here, WIDE * sizeof(int16_t))
            here += WIDE * sizeof(int16_t)
    for index in range(TRIGGERS):       # nothing is set off where the floor is laid bare
        memcpy(net.trigger[index], here, DECK * WIDE * sizeof(int16_t))
        here += DECK * WIDE * sizeof(int16_t)
    memcpy(net.bias, here, sizeof(net.bias))
    here += sizeof(net.bias)
    memcpy(net.output, here, sizeof(net.output))
    here += sizeof(net.output)
    memcpy(net.rest, here, sizeof(net.rest))
    here += sizeof(net.rest)
    memcpy(&net.cells, here, sizeof(net.cells))


cdef inline int16_t scattered(uint64_t which) noexcept nogil:
    # A number that looks random, for lanes without weight (see make_net).
    cdef uint64_t value = (which + 1) * <uint64_t>0x9E3779B97F4A7C15
    value = (value ^ (value >> 32)) * <uint64_t>0xD6E8FEB86659FD93
    return <int16_t>(value >> 48)


cdef inline void make_net(Net *net, const Rules *rules) noexcept nogil:
    # By hand, for rules that no net was trained for: lane 0 adds up cards left, cards above lower
    # ones of their suit, neighbours that do not build, and cells in use. The other lanes have no
    # weight; they are there because positions are told apart by their sums.
    cdef int card, place, lane, index
    memset(net, 0, sizeof(Net))
    for card in range(DECK):
        for place in range(BESIDES):
            for lane in range(1, WIDE):
                net.on[card][place][lane] = scattered((card * 64 + place) * WIDE + lane)
            net.on[card][place][0] = UNIT
            if place == FLOOR or fits(rules, card, place):
                net.on[card][place][0] = UNIT * 3 // 10
            if place < DECK and suit(place) == suit(card) and place < card:
                net.above[place][card][0] = UNIT
    net.cells = rules.cells
    for index in range(OUTPUTS):
        net.output[index][0] = ONE // UNIT
        net.rest[index] = ONE * 4 // 10 * (index // EMPTIES) - ONE * (index % EMPTIES)


cdef inline int output_row(const Net *net, int cells, int used, int empty) noexcept nogil:
    # With fewer cells than the net knows, the missing ones count as in use; with more, the spare
    # ones as not there.
    cdef int in_use = used + net.cells - cells
    return (in_use if in_use > 0 else 0) * EMPTIES + (empty if empty < EMPTIES else EMPTIES - 1)


cdef inline int32_t value_of(const Net *net, Vector sums, int row) noexcept nogil:
    return net.rest[row] + product(sums, net.output[row])
