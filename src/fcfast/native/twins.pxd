# Twins, the two cards of one rank and colour, taken for one another.
#
# Where columns build in alternate colours twins fit on the same cards, take the same cards, and
# differ only in where they were dealt and when they may go home. So a proof may forget which is
# which, as long as both are loose: not home, and neither kept apart by a card's place in the deal.
# Positions that differ in the names of loose twins become one, that named in order (order_twins),
# and every move of any of them is a move of it. What cannot be won then cannot be won; what can be
# won then may owe it to names changed on the way (proof.pxd has the argument).
#
# Deal 982 with two cells has more than 793 million positions, and 312,596 of these.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from fcfast.native.card cimport DECK, FLOOR, HOME, NO_CARD, bit, twin
from fcfast.native.key cimport Codes, Key, Places, move_key
from fcfast.native.movegen cimport highest

cdef enum:
    NO_TWINS = 13           # from no rank on: all cards are told apart

cdef struct Twins:          # what a position's Places do not say
    uint64_t dealt          # cards still where they were dealt and do not fit
    uint64_t held           # cards that one of these lies on
    uint64_t gone           # cards home, and those of low ranks, which keep their names
    uint8_t over[52]        # what lies on the card, NO_CARD if nothing


cdef inline void look_at(
    Twins *self, const Places *places, const Codes *codes, uint64_t misfits, int twins_from
) noexcept nogil:
    # `misfits`: cards dealt where they do not fit.
    cdef int card, under
    self.dealt = self.held = 0
    self.gone = bit(4 * twins_from) - 1
    memset(self.over, NO_CARD, DECK)
    for card in range(DECK):
        under = places.under[card]
        if under == HOME:
            self.gone |= bit(card)
        elif under < DECK:
            self.over[under] = card
        if misfits & bit(card) and under == codes.place[card][0]:
            self.dealt |= bit(card)
            if under < DECK:
                self.held |= bit(under)


cdef inline void moved(Twins *self, int card, int under, int onto) noexcept nogil:
    # Keeps up with a card that went from `under` to `onto`, with all that lies on it.
    if under < DECK:
        self.over[under] = NO_CARD
        if self.dealt & bit(card):
            self.held &= ~bit(under)
    self.dealt &= ~bit(card)
    if onto < DECK:
        self.over[onto] = card
    elif onto == HOME:
        self.gone |= bit(card)


cdef inline uint64_t with_loose_twins(const Twins *self) noexcept nogil:
    # Of every two loose twins both.
    cdef uint64_t first = 0x1111111111111, second = first << 1  # suits: every rank's bit
    cdef uint64_t loose = ~(self.dealt | self.held | self.gone) & (bit(DECK) - 1)
    cdef uint64_t lower = (loose & loose >> 3 & first) | (loose & loose >> 1 & second)
    return lower | (lower & first) << 3 | (lower & second) << 1


cdef inline bint has_loose_twin(const Twins *self, int card) noexcept nogil:
    return ((self.dealt | self.held | self.gone) & (bit(card) | bit(twin(card)))) == 0


cdef inline void exchange(
    Twins *self, Places *places, Key *key, const Codes *codes, int one, int other
) noexcept nogil:
    # Either of two loose twins takes the other's name.
    cdef int under_one = places.under[one], under_other = places.under[other]
    cdef int over_one = self.over[one], over_other = self.over[other]
    cdef uint64_t both = bit(one) | bit(other)
    rename(self, places, key, codes, one, under_one, under_other)
    rename(self, places, key, codes, other, under_other, under_one)
    if over_one != NO_CARD:
        rename(self, places, key, codes, over_one, one, other)
    if over_other != NO_CARD:
        rename(self, places, key, codes, over_other, other, one)
    self.over[one], self.over[other] = over_other, over_one
    if places.tops & both and places.tops & both != both:
        places.tops ^= both
    if places.celled & both and places.celled & both != both:
        places.celled ^= both


cdef inline void rename(
    Twins *self, Places *places, Key *key, const Codes *codes, int card, int under, int now
) noexcept nogil:
    # What a card lies on has another name.
    move_key(key, codes, card, under, now)
    places.under[card] = now
    if now < DECK:
        self.over[now] = card


cdef inline void order_twins(
    Twins *self, Places *places, Key *key, const Codes *codes
) noexcept nogil:
    # Names loose twins in order: the lower suit is that on the lower place; deepest in two columns,
    # that with less on it. From the kings down, so that the places have their names.
    cdef uint64_t left = with_loose_twins(self)
    cdef int one, other
    while left:
        one = min(highest(left), twin(highest(left)))
        other = twin(one)
        left ^= bit(one) | bit(other)
        if places.under[one] > places.under[other] or (
                places.under[one] == FLOOR and places.under[other] == FLOOR
                and has_more(self, one, other)):
            exchange(self, places, key, codes, one, other)


cdef inline bint has_more(const Twins *self, int one, int other) noexcept nogil:
    # Is the first card in which two columns differ, upwards from two twins, higher in the first
    # one's, loose twins being alike, or is only the other's column at its end?
    cdef int first, second
    while True:
        one, other = self.over[one], self.over[other]
        if one == NO_CARD or other == NO_CARD:
            return one != NO_CARD
        first = min(one, twin(one)) if has_loose_twin(self, one) else one
        second = min(other, twin(other)) if has_loose_twin(self, other) else other
        if first != second:
            return first > second
