# The exact form of a position in 120 bits, free of column and cell order.
#
# Per card one digit: 0 lies where it lay in the deal, 1 and 2 on the one and other of the two
# cards it fits on, 3 in a cell, 4 deepest in a column (a king has no cards to fit on: 0, 1 in a
# cell, 2 deepest). What equals the deal is always 0. Per suit, the cards home select a block and
# the digits of the rest number the positions inside it: 3 * (1 + 5 + ... + 5**12) + 1 =
# 915,527,344 < 2**30 values. Two suits share a 64-bit word, its top four bits free for the search:
#
#     word[0]  [- : 4][suit 1 : 30][suit 0 : 30]    word[1]  [- : 4][suit 3 : 30][suit 2 : 30]
#
# The value is a sum of one term per (card, what it lies on), cards home included, so a move of a
# card or a whole run is one subtraction and one addition. Keys compare within one deal only.

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, KING, PLACES, bit, rank, suit
from fcfast.native.movegen cimport lowest
from fcfast.native.rules cimport Rules
from fcfast.native.state cimport State, clear, fill_cell

cdef struct Key:
    uint64_t word[2]

cdef struct Places:         # a position whose columns and cells have no numbers
    uint64_t tops           # bit per card that is the last of its column
    uint64_t celled         # bit per card in a cell
    uint8_t under[52]       # a card, FLOOR, CELL or HOME
    uint8_t home[4]         # per suit the number of cards home
    uint8_t floors          # columns that hold cards
    uint8_t in_cells        # cards in cells

cdef struct Codes:
    uint64_t term[52][55]   # what (card, lies on) adds to the word of its suit
    uint8_t place[52][5]    # what the card lies on, by digit
    uint64_t root           # both words of an all-zero sum: every suit's block of nothing home
    uint32_t block[14]      # first value of the block with that many cards home

cdef enum:
    NO_DIGIT = 255
    SUIT_BITS = 30
    SUIT_MASK = (1 << 30) - 1
    KEY_BYTES = 15


cdef inline void make_codes(Codes *codes, const Rules *rules, const State *deal) noexcept nogil:
    # Codes for all positions that can be reached from `deal`.
    cdef int card, digit, place, shift
    cdef uint64_t weight[13]
    cdef uint64_t parents
    weight[KING] = 1
    codes.block[13] = 0
    codes.block[KING] = 1
    for place in range(KING - 1, -1, -1):
        weight[place] = 3 if place == KING - 1 else 5 * weight[place + 1]
        codes.block[place] = codes.block[place + 1] + <uint32_t>(
            3 if place == KING - 1 else 5 * weight[place + 1])
    codes.root = codes.block[0] | <uint64_t>codes.block[0] << SUIT_BITS
    memset(codes.term, 0, sizeof(codes.term))
    for card in range(DECK):
        shift = SUIT_BITS * (suit(card) & 1)
        memset(codes.place[card], NO_DIGIT, 5)
        parents = rules.fits[card]
        digit = 1
        while parents:
            codes.place[card][digit] = lowest(parents)
            parents &= parents - 1
            digit += 1
        digit = 1 if rank(card) == KING else 3
        codes.place[card][digit] = CELL
        codes.place[card][digit + 1] = FLOOR
        codes.place[card][0] = deal.under[card]
        for digit in range(4, -1, -1):  # downwards: where the deal's place recurs, 0 stands
            if codes.place[card][digit] != NO_DIGIT:
                codes.term[card][codes.place[card][digit]] = (
                    weight[rank(card)] * <uint64_t>digit << shift)
        codes.term[card][HOME] = (
            <uint64_t>codes.block[rank(card) + 1] - codes.block[rank(card)]) << shift


cdef inline void key_of(Key *key, const Codes *codes, const State *state) noexcept nogil:
    cdef int card
    key.word[0] = key.word[1] = codes.root
    for card in range(DECK):
        key.word[suit(card) >> 1] += codes.term[card][state.under[card]]


cdef inline void move_key(
    Key *key, const Codes *codes, int card, int under, int onto
) noexcept nogil:
    # The key after the card has moved from `under` to `onto`.
    key.word[suit(card) >> 1] += codes.term[card][onto] - codes.term[card][under]


cdef inline void places_of(Places *places, const Codes *codes, const Key *key) noexcept nogil:
    cdef int index, level, card, place, home
    cdef uint32_t value
    cdef uint64_t covered = 0, standing = 0
    places.celled = 0
    places.floors = places.in_cells = 0
    for index in range(4):
        value = <uint32_t>(key.word[index >> 1] >> (SUIT_BITS * (index & 1))) & SUIT_MASK
        home = 0
        while value < codes.block[home]:
            places.under[4 * home + index] = HOME
            home += 1
        places.home[index] = home
        value -= codes.block[home]
        for level in range(KING, home - 1, -1):
            card = 4 * level + index
            if level == KING:
                place = codes.place[card][value % 3]
                value //= 3
            else:
                place = codes.place[card][value % 5]
                value //= 5
            places.under[card] = place
            if place == CELL:
                places.celled |= bit(card)
                places.in_cells += 1
                continue
            standing |= bit(card)
            if place == FLOOR:
                places.floors += 1
            else:
                covered |= bit(place)
    places.tops = standing & ~covered


cdef inline void state_of(
    State *state, const Codes *codes, const Key *key, int columns, int cells
) noexcept nogil:
    # The position of a key, its columns and cells in an order of its own.
    cdef Places places
    cdef uint64_t left
    cdef int index = 0
    clear(state, columns, cells)
    places_of(&places, codes, key)
    memcpy(state.under, places.under, DECK)
    memcpy(state.home, places.home, 4)
    state.tops = left = places.tops
    while left:
        state.top[index] = lowest(left)
        left &= left - 1
        index += 1
    state.empty_columns = columns - places.floors
    left = places.celled
    index = 0
    while left:
        fill_cell(state, index, lowest(left))
        left &= left - 1
        index += 1


cdef inline uint64_t key_hash(const Key *key) noexcept nogil:
    # Multiplications by odd constants (golden ratio and its like), high bits folded down.
    cdef uint64_t value = key.word[0] * <uint64_t>0x9E3779B97F4A7C15
    value = (value ^ (value >> 32) ^ key.word[1]) * <uint64_t>0xD6E8FEB86659FD93
    return value ^ (value >> 32)


cdef inline bint same_key(const Key *one, const Key *other) noexcept nogil:
    return one.word[0] == other.word[0] and one.word[1] == other.word[1]


cdef inline void write_key(uint8_t *out, const Key *key) noexcept nogil:
    # As a number of 120 bits, word[1] first, in KEY_BYTES, most significant first.
    cdef int index
    for index in range(7):
        out[14 - index] = <uint8_t>(key.word[0] >> 8 * index)
        out[6 - index] = <uint8_t>(key.word[1] >> 8 * index + 4)
    out[7] = <uint8_t>(key.word[0] >> 56 | key.word[1] << 4)


cdef inline void read_key(Key *key, const uint8_t *bytes) noexcept nogil:
    # What write_key() wrote.
    cdef int index
    key.word[0] = bytes[7] & 15
    key.word[1] = 0
    for index in range(7):
        key.word[0] = key.word[0] << 8 | bytes[8 + index]
        key.word[1] = key.word[1] << 8 | bytes[index]
    key.word[1] = key.word[1] << 4 | bytes[7] >> 4
