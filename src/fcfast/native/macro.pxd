# Macro moves: what is played on by itself after a move, and the record of all movements.
#
# Cards go home; a card in a cell goes onto a column that takes it; a whole run goes onto a column
# that takes it; and again, until nothing moves. All strictly tidy up, so it ends. It is a search
# policy and loses wins: deal 1941 cannot be won so. One entry of the record is a step in 16 bits:
#
#     15      10 9     5 4      0
#     [ count  ] [target] [source]     places as in replay.pxd

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from fcfast.native.autoplay cimport ALL, goes_by_itself
from fcfast.native.card cimport DECK, bit
from fcfast.native.movegen cimport c_assert, lowest
from fcfast.native.replay cimport HOME_PLACE, STEP
from fcfast.native.rules cimport Rules, fitting
from fcfast.native.spread cimport (
    Ground, Spread, carry_run, moved_sums, run_from, spread_ok,
)
from fcfast.native.vector cimport keep

cdef enum Macros:
    NO_MACROS = 0       # only home moves, by the policy
    CELL_MACROS = 1
    RUN_MACROS = 2

cdef enum:
    CLOSING_MOST = 256  # movements in one closing: 52 home, 10 from cells, 52 runs, and room

cdef struct Player:
    const Rules *rules
    Ground *ground
    int macros
    int policy              # which cards go home
    uint16_t *record
    uint32_t recorded


cdef inline void play(
    Player *self, Spread *spread, int card, int count, int place
) noexcept nogil:
    keep(spread.sums, moved_sums(spread, self.ground, card, count, place))
    carry(self, spread, card, count, place)


cdef inline void carry(
    Player *self, Spread *spread, int card, int count, int place
) noexcept nogil:
    # Plays and records a move whose sums are there already.
    cdef int source = spread.where[card]
    carry_run(spread, self.rules, card, count, place)
    c_assert(spread_ok(spread, self.rules, self.ground.net))
    self.record[self.recorded] = <uint16_t>(source | spread.where[card] << 5 | count << 10)
    self.recorded += 1


cdef inline void play_on(Player *self, Spread *spread, int kept) noexcept nogil:
    # Closes a position under the macros; the card `kept` stays where it is unless it goes home.
    cdef uint64_t wanted
    while True:
        send_home(self, spread)
        if self.macros == NO_MACROS:
            return
        wanted = fitting(self.rules, spread.tops)
        if take_from_cell(self, spread, spread.celled & wanted, kept):
            continue
        if self.macros != RUN_MACROS or not merge_run(self, spread, spread.heads & wanted):
            return


cdef inline void send_home(Player *self, Spread *spread) noexcept nogil:
    cdef uint64_t due = spread.due & (spread.tops | spread.celled)
    cdef int card
    while due:
        card = lowest(due)
        due &= due - 1
        if goes_by_itself(self.rules, self.policy, card, spread.home):
            play(self, spread, card, 1, HOME_PLACE)
            due = spread.due & (spread.tops | spread.celled)


cdef inline bint take_from_cell(
    Player *self, Spread *spread, uint64_t cards, int kept
) noexcept nogil:
    cdef int card
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if card != kept:
            play(self, spread, card, 1, column_taking(self, spread, card))
            return True
    return False


cdef inline bint merge_run(Player *self, Spread *spread, uint64_t cards) noexcept nogil:
    # Lowest rank first: column order costs 46 expansions where this takes 40.
    cdef int limit = self.rules.limit[0][self.rules.cells - spread.used][spread.empty]
    cdef int card, count
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        count = run_from(spread, card)
        if count <= limit:
            play(self, spread, card, count, column_taking(self, spread, card))
            return True
    return False


cdef inline int column_taking(const Player *self, const Spread *spread, int card) noexcept nogil:
    return spread.where[lowest(self.rules.fits[card] & spread.tops)]


cdef inline void write_record(
    const Player *self, uint32_t first, uint32_t count, uint8_t *steps
) noexcept nogil:
    # The movements first .. first + count - 1 as steps.
    cdef uint32_t index
    cdef int entry
    for index in range(count):
        entry = self.record[first + index]
        steps[STEP * index] = entry & 31
        steps[STEP * index + 1] = (entry >> 5) & 31
        steps[STEP * index + 2] = entry >> 10
