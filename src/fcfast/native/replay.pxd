# The native check of a found solution, on plain arrays of cards. Shares nothing with movegen: only
# the look-up tables of the rules and the autoplay predicate, which it needs to count.
#
# A step is three bytes: source, target, number of cards. Places are columns 0..12, cells
# CELL_PLACE + 0..9 and HOME_PLACE.

from libc.stdint cimport int32_t, uint8_t

from fcfast.native.autoplay cimport goes_by_itself
from fcfast.native.card cimport DECK, NO_CARD, rank, suit
from fcfast.native.rules cimport Rules, fills, fits

cdef enum:
    CELL_PLACE = 16
    HOME_PLACE = 31
    STEP = 3

cdef struct Tally:
    int32_t moves       # steps, without the home moves that the autoplay policy makes by itself
    int32_t singles     # every movement of one card, runs carried the cheapest way
    int32_t home        # cards home at the end

cdef struct Tableau:
    uint8_t column[13][52]
    uint8_t height[13]
    uint8_t cell[10]
    uint8_t home[4]
    int columns
    int cells


cdef inline void lay_out(Tableau *tableau, const uint8_t *packed) noexcept nogil:
    # Reads Board.pack().
    cdef int index, height
    tableau.columns = packed[0]
    tableau.cells = packed[1]
    packed += 2
    for index in range(4):
        tableau.home[index] = packed[index]
    packed += 4
    for index in range(tableau.cells):
        tableau.cell[index] = packed[index]
    packed += tableau.cells
    for index in range(tableau.columns):
        tableau.height[index] = packed[0]
        for height in range(packed[0]):
            tableau.column[index][height] = packed[1 + height]
        packed += 1 + packed[0]


cdef inline bint is_column(const Tableau *tableau, int place) noexcept nogil:
    return place < tableau.columns


cdef inline bint is_cell(const Tableau *tableau, int place) noexcept nogil:
    return CELL_PLACE <= place < CELL_PLACE + tableau.cells


cdef inline bint carry(
    Tableau *tableau, const Rules *rules, int policy, const uint8_t *step, Tally *tally
) noexcept nogil:
    # Carries out one step and counts it; False if the rules refuse it.
    cdef int source = step[0], target = step[1], count = step[2]
    cdef int index, free_cells = 0, empty_columns = 0, spare, by_itself = 0, cost = 1, whole
    cdef uint8_t run[52]
    for index in range(tableau.cells):
        free_cells += tableau.cell[index] == NO_CARD
    for index in range(tableau.columns):
        empty_columns += tableau.height[index] == 0
    if count < 1 or source == target:
        return False

    if is_column(tableau, source):
        if tableau.height[source] < count:
            return False
        for index in range(count):
            run[index] = tableau.column[source][tableau.height[source] - count + index]
    elif is_cell(tableau, source):
        if count != 1 or tableau.cell[source - CELL_PLACE] == NO_CARD:
            return False
        run[0] = tableau.cell[source - CELL_PLACE]
    else:
        return False

    if target == HOME_PLACE:
        if count != 1 or tableau.home[suit(run[0])] != rank(run[0]):
            return False
        by_itself = goes_by_itself(rules, policy, run[0], tableau.home)
        tableau.home[suit(run[0])] += 1
    elif is_cell(tableau, target):
        if count != 1 or tableau.cell[target - CELL_PLACE] != NO_CARD:
            return False
        tableau.cell[target - CELL_PLACE] = run[0]
    elif is_column(tableau, target):
        spare = empty_columns
        for index in range(1, count):
            if not fits(rules, run[index], run[index - 1]):
                return False
        if tableau.height[target]:
            if not fits(rules, run[0], tableau.column[target][tableau.height[target] - 1]):
                return False
            if count > rules.limit[0][free_cells][empty_columns]:
                return False
        else:
            spare -= 1
            if not fills(rules, run[0]) or count > rules.limit[1][free_cells][empty_columns]:
                return False
        whole = is_column(tableau, source) and tableau.height[source] == count
        cost = rules.cost[whole][tableau.height[target] == 0][count][free_cells][spare]
        for index in range(count):
            tableau.column[target][tableau.height[target] + index] = run[index]
        tableau.height[target] += count
    else:
        return False

    if is_column(tableau, source):
        tableau.height[source] -= count
    else:
        tableau.cell[source - CELL_PLACE] = NO_CARD
    tally.moves += 1 - by_itself
    tally.singles += cost
    return True


cdef inline bint replay(
    const uint8_t *packed, const Rules *rules, int policy,
    const uint8_t *steps, int count, Tally *tally
) noexcept nogil:
    # Replays `count` steps from a packed board. True if every one is legal and all cards end home.
    cdef Tableau tableau
    cdef int index
    lay_out(&tableau, packed)
    tally.moves = tally.singles = 0
    for index in range(count):
        if not carry(&tableau, rules, policy, steps + STEP * index, tally):
            return False
    tally.home = tableau.home[0] + tableau.home[1] + tableau.home[2] + tableau.home[3]
    return tally.home == DECK
