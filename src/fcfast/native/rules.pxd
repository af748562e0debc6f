# The tables of a Variant, as rules.tables() evaluates them. Look-ups only, no policy.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

from fcfast.native.card cimport DECK, bit

cdef enum:
    MAX_COLUMNS = 13
    MAX_CELLS = 10
    LIMITS = 2 * (MAX_CELLS + 1) * (MAX_COLUMNS + 1)
    COSTS = 2 * 2 * 14 * (MAX_CELLS + 1) * (MAX_COLUMNS + 1)
    TABLES_BYTES = 8 * (DECK + 1) + LIMITS + COSTS + 2

cdef struct Rules:
    uint64_t fits[52]       # bit o of fits[c]: c may be put on o
    uint64_t takes[52]      # bit c of takes[o]: the same, seen from below
    uint64_t fills          # cards that may be put into an empty column
    uint8_t limit[2][11][14]  # longest run [into an empty column][free cells][empty columns]
    # Single moves for a run [that is a whole column][into an empty one][cards][free cells][spare
    # columns].
    uint8_t cost[2][2][14][11][14]
    uint8_t columns
    uint8_t cells


cdef inline void load_rules(Rules *rules, const uint8_t *tables) noexcept nogil:
    cdef int card
    memcpy(rules.fits, tables, 8 * DECK)
    memcpy(&rules.fills, tables + 8 * DECK, 8)
    memcpy(rules.limit, tables + 8 * (DECK + 1), LIMITS)
    memcpy(rules.cost, tables + 8 * (DECK + 1) + LIMITS, COSTS)
    rules.columns = tables[TABLES_BYTES - 2]
    rules.cells = tables[TABLES_BYTES - 1]
    for card in range(DECK):
        rules.takes[card] = fitting(rules, bit(card))


cdef inline bint fits(const Rules *rules, int card, int onto) noexcept nogil:
    # `onto` may be FLOOR, on which none fits.
    return (rules.fits[card] >> onto) & 1


cdef inline bint builds_in_suit(const Rules *rules) noexcept nogil:
    return (rules.fits[0] >> 4) & 1  # the ace of clubs on the two of clubs


cdef inline uint64_t of_other_colour(uint64_t cards) noexcept nogil:
    # All cards that have a card of the other colour and their rank in the set.
    cdef uint64_t a_rank = 0x1111111111111   # the bit of its first suit
    cdef uint64_t red = (cards >> 1 | cards >> 2) & a_rank, black = (cards | cards >> 3) & a_rank
    return red << 3 | red | black << 2 | black << 1


cdef inline uint64_t fitting(const Rules *rules, uint64_t tops) noexcept nogil:
    # The cards that fit on one of these.
    return (tops if builds_in_suit(rules) else of_other_colour(tops)) >> 4


cdef inline uint64_t fitted(const Rules *rules, uint64_t cards) noexcept nogil:
    # The cards that one of these fits on.
    cards = cards if builds_in_suit(rules) else of_other_colour(cards)
    return cards << 4 & (bit(DECK) - 1)


cdef inline bint fills(const Rules *rules, int card) noexcept nogil:
    return (rules.fills >> card) & 1
