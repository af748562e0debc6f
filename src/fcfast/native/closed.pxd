# The second checker of a closed set of positions: certificate.py's check, line by line, for speed.
# Shares nothing with the searches but the look-up tables of the rules and the autoplay predicate.

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memset

from fcfast.native.autoplay cimport SAFE, goes_by_itself
from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, NO_CARD, rank, suit, twin
from fcfast.native.rules cimport Rules, fills, fits

cdef enum:
    KEY_SIZE = 15
    NOWHERE = 255

cdef enum Fault:            # any number of them at once
    CLOSED = 0
    NO_POSITION = 1
    START_MISSING = 2
    NEAR_WIN = 4
    LEADS_OUT = 8

cdef struct Spread:         # a position: what lies under each card
    uint8_t under[52]
    uint8_t home[4]

cdef struct Closed:
    const Rules *rules
    bint runs               # are runs moved in one go checked?
    int twins_from          # the rank from which twins are taken for one another
    bint misfit[52]         # cards dealt where they could not be put
    uint8_t places[52][5]   # what each digit of a card says
    uint64_t weight[13]
    uint64_t first[14]
    uint64_t *known         # pairs of words, both 0 where empty
    uint64_t mask


cdef inline void start_set(
    Closed *self, Spread *start, const Rules *rules, const uint8_t *packed, bint runs,
    int twins_from
) noexcept nogil:
    # Reads Board.pack() into `start`, and what the digits mean from it.
    cdef int height, index, card, onto
    self.rules = rules
    self.runs = runs
    self.twins_from = twins_from
    memset(start.under, HOME, DECK)
    for index in range(4):
        start.home[index] = packed[2 + index]
    for index in range(packed[1]):
        if packed[6 + index] != NO_CARD:
            start.under[packed[6 + index]] = CELL
    index = 6 + packed[1]
    for _ in range(packed[0]):
        for height in range(packed[index]):
            start.under[packed[index + 1 + height]] = packed[index + height] if height else FLOOR
        index += 1 + packed[index]
    for card in range(DECK):
        memset(self.places[card], NOWHERE, 5)
        self.places[card][0] = start.under[card]
        self.misfit[card] = (
            not fits(rules, card, start.under[card]) if start.under[card] < DECK
            else start.under[card] == FLOOR and not fills(rules, card))
        index = 1
        for onto in range(DECK):
            if fits(rules, card, onto):
                self.places[card][index] = onto
                index += 1
        index = 1 if rank(card) == 12 else 3
        self.places[card][index] = CELL
        self.places[card][index + 1] = FLOOR
    self.weight[12] = 1
    self.first[13] = 0
    self.first[12] = 1
    for index in range(11, -1, -1):
        self.weight[index] = self.weight[index + 1] * (3 if index == 11 else 5)
        self.first[index] = self.first[index + 1] + self.weight[index]


cdef inline bint make_set(Closed *self, int64_t count) noexcept nogil:
    # Room for `count` positions. False where the system has not got it.
    self.mask = 16
    while <int64_t>self.mask < 2 * count:
        self.mask *= 2
    self.known = <uint64_t *>calloc(self.mask, 2 * sizeof(uint64_t))
    self.mask -= 1
    return self.known != NULL


cdef inline uint64_t *find(const Closed *self, uint64_t high, uint64_t low) noexcept nogil:
    # The place of a position in the set, or the empty one where it would be. Never both words 0:
    # only the won position has the number 0, and it is not looked up.
    cdef uint64_t at = (high * <uint64_t>0xC2B2AE3D27D4EB4F ^ low) * <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t *place
    at ^= at >> 29
    while True:
        place = self.known + 2 * (at & self.mask)
        if (place[0] == high and place[1] == low) or (place[0] | place[1]) == 0:
            return place
        at += 1


cdef inline void add_known(Closed *self, const uint8_t *key) noexcept nogil:
    cdef uint64_t high = 0, low = 0
    cdef uint64_t *place
    cdef int index
    for index in range(7):
        high = high << 8 | key[index]
    for index in range(7, KEY_SIZE):
        low = low << 8 | key[index]
    place = find(self, high, low)
    place[0], place[1] = high, low


cdef inline int check_start(Closed *self, const Spread *start) noexcept nogil:
    cdef Spread spread = start[0]
    return look_up(self, &spread, START_MISSING)


cdef inline int check_position(Closed *self, uint64_t high, uint64_t low) noexcept nogil:
    # Every move from one position of the set.
    cdef Spread spread
    cdef bint covered[52]
    cdef bint loose[52]
    cdef int card, head, length, onto, fault = CLOSED
    cdef int free_cells = self.rules.cells, empty = self.rules.columns
    if not set_up(self, &spread, high, low):
        return NO_POSITION
    memset(covered, 0, sizeof(covered))
    for card in range(DECK):
        free_cells -= spread.under[card] == CELL
        empty -= spread.under[card] == FLOOR
        if spread.under[card] < DECK:
            covered[spread.under[card]] = True
    if free_cells < 0 or empty < 0:
        return NO_POSITION
    find_loose(self, &spread, loose)
    for card in range(DECK):
        if covered[card] or spread.under[card] == HOME:
            continue
        if spread.home[suit(card)] == rank(card):
            fault |= try_move(self, &spread, card, HOME)
        if loose[card] and loose[twin(card)] and spread.home[suit(twin(card))] == rank(card):
            fault |= try_twin(self, &spread, card)
        if free_cells > 0 and spread.under[card] != CELL:
            fault |= try_move(self, &spread, card, CELL)
        head = card
        length = 1
        while True:
            if length == 1 or length <= self.rules.limit[0][free_cells][empty]:
                for onto in range(DECK):
                    if (fits(self.rules, head, onto) and not covered[onto]
                            and spread.under[onto] < CELL):
                        fault |= try_move(self, &spread, head, onto)
            if (empty > 0 and fills(self.rules, head) and spread.under[head] != FLOOR
                    and (length == 1 or length <= self.rules.limit[1][free_cells][empty])):
                fault |= try_move(self, &spread, head, FLOOR)
            if fault:
                return fault
            if not self.runs or not fits(self.rules, head, spread.under[head]):
                break
            head = spread.under[head]
            length += 1
    return CLOSED


cdef inline int try_move(Closed *self, const Spread *spread, int card, int onto) noexcept nogil:
    cdef Spread after = spread[0]
    after.under[card] = onto
    if onto == HOME:
        after.home[suit(card)] += 1
    return look_up(self, &after, LEADS_OUT)


cdef inline int try_twin(Closed *self, const Spread *spread, int card) noexcept nogil:
    # The card goes home by the name of its loose twin.
    cdef Spread renamed = spread[0]
    exchange(&renamed, card, twin(card))
    return try_move(self, &renamed, twin(card), HOME)


cdef inline void find_loose(const Closed *self, const Spread *spread, bint *loose) noexcept nogil:
    # The cards that may be taken for their twins, if these are loose, too.
    cdef int card, under
    for card in range(DECK):
        loose[card] = rank(card) >= self.twins_from and spread.under[card] != HOME
    for card in range(DECK):
        under = spread.under[card]
        if self.misfit[card] and under == self.places[card][0]:
            loose[card] = False
            if under < DECK:
                loose[under] = False


cdef inline void exchange(Spread *spread, int one, int other) noexcept nogil:
    # Each of two cards takes the other's name.
    cdef int card
    spread.under[one], spread.under[other] = spread.under[other], spread.under[one]
    for card in range(DECK):
        if spread.under[card] == one:
            spread.under[card] = other
        elif spread.under[card] == other:
            spread.under[card] = one


cdef inline void name_twins(Spread *spread, const bint *loose) noexcept nogil:
    # Gives loose twins the names that go with their places.
    cdef int one, other
    for one in range(DECK - 1, -1, -1):
        other = twin(one)
        if one < other and loose[one] and loose[other] and (
                spread.under[one] > spread.under[other]
                or (spread.under[one] == FLOOR and spread.under[other] == FLOOR
                    and has_more(spread, loose, one, other))):
            exchange(spread, one, other)


cdef inline bint has_more(
    const Spread *spread, const bint *loose, int one, int other
) noexcept nogil:
    # Where two columns differ, upwards, is the first one's card the higher, or the only one?
    cdef int first, second
    while True:
        one, other = above(spread, one), above(spread, other)
        if one == NO_CARD or other == NO_CARD:
            return one != NO_CARD
        first = min(one, twin(one)) if loose[one] and loose[twin(one)] else one
        second = min(other, twin(other)) if loose[other] and loose[twin(other)] else other
        if first != second:
            return first > second


cdef inline int above(const Spread *spread, int card) noexcept nogil:
    # What lies on a card, NO_CARD if nothing.
    cdef int other
    for other in range(DECK):
        if spread.under[other] == card:
            return other
    return NO_CARD


cdef inline int look_up(Closed *self, Spread *spread, int missing) noexcept nogil:
    # Plays home what is safe; `missing` if the position is not known then.
    cdef int index = 0, card, level, digit
    cdef uint64_t value
    cdef uint64_t number[4]
    cdef const uint64_t *known
    cdef bint loose[52]
    find_loose(self, spread, loose)
    while index < 4:
        card = 4 * spread.home[index] + index
        if (card < DECK and goes_by_itself(self.rules, SAFE, card, spread.home)
                and not (loose[card] and loose[twin(card)]) and is_free(spread, card)):
            spread.under[card] = HOME
            spread.home[index] += 1
            index = 0
        else:
            index += 1
    if spread.home[0] + spread.home[1] + spread.home[2] + spread.home[3] == DECK:
        return NEAR_WIN
    find_loose(self, spread, loose)
    name_twins(spread, loose)
    for index in range(4):
        value = self.first[spread.home[index]]
        for level in range(spread.home[index], 13):
            card = 4 * level + index
            digit = 0
            while self.places[card][digit] != spread.under[card]:
                digit += 1
            value += digit * self.weight[level]
        number[index] = value
    # 120 bits as 56 and 64: number[3] to number[0], 30 bits each.
    known = find(self, number[3] << 26 | number[2] >> 4,
                 number[2] << 60 | number[1] << 30 | number[0])
    return missing if (known[0] | known[1]) == 0 else CLOSED


cdef inline bint is_free(const Spread *spread, int card) noexcept nogil:
    # In play, and nothing lies on it.
    return spread.under[card] != HOME and above(spread, card) == NO_CARD


cdef inline bint set_up(
    const Closed *self, Spread *spread, uint64_t high, uint64_t low
) noexcept nogil:
    # The position of a number; False where none has it.
    cdef int index, home, level, card, most
    cdef uint64_t value, digit
    cdef uint64_t number[4]
    number[3] = high >> 26
    number[2] = (high << 4 | low >> 60) & (1 << 30) - 1
    number[1] = low >> 30 & (1 << 30) - 1
    number[0] = low & (1 << 30) - 1
    for index in range(4):
        value = number[index]
        home = 0
        while value < self.first[home]:
            home += 1
        value -= self.first[home]
        spread.home[index] = home
        for level in range(13):
            card = 4 * level + index
            if level < home:
                spread.under[card] = HOME
                continue
            digit = value // self.weight[level]
            value %= self.weight[level]
            most = 3 if level == 12 else 5
            if digit >= <uint64_t>most or self.places[card][digit] == NOWHERE:
                return False
            spread.under[card] = self.places[card][digit]
    return True


cdef inline int check_all(Closed *self, int64_t first, int64_t last) noexcept nogil:
    # Every position in places first..last-1 of the set.
    cdef int64_t at
    cdef int fault = CLOSED
    for at in range(first, last):
        if self.known[2 * at] | self.known[2 * at + 1]:
            fault = check_position(self, self.known[2 * at], self.known[2 * at + 1])
            if fault:
                break
    return fault
