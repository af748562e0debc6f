# The native check of a found solution, on plain arrays of cards. Shares nothing with movegen: only
# the look-up tables of the rules and the autoplay predicate, which it needs to count.
#
# A step is three bytes: source, target, number of cards. Places are columns 0..12, cells
# CELL_PLACE + 0..9 and HOME_PLACE.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from fcfast.native.autoplay cimport OFF, goes_by_itself
from fcfast.native.card cimport DECK, NO_CARD, bit, rank, suit
from fcfast.native.rules cimport Rules, fills, fits

cdef enum:
    CELL_PLACE = 16
    HOME_PLACE = 31
    STEP = 3

cdef struct Tally:
    int32_t moves       # what a player does while the autoplay policy takes cards home
    int32_t singles     # every movement of one card, runs carried the cheapest way
    int32_t home        # cards home at the end

cdef struct Tableau:
    uint8_t column[13][52]
    uint8_t height[13]
    uint8_t cell[10]
    uint8_t home[4]
    uint8_t place[52]       # of the cards that nothing lies on
    uint64_t open           # these cards: last of columns, in cells
    uint64_t due            # the next card of every suit that is not complete
    int columns, empty_columns
    int cells, free_cells


cdef inline void lay_out(Tableau *tableau, const uint8_t *packed) noexcept nogil:
    # Reads Board.pack().
    cdef int index
    tableau.columns = packed[0]
    tableau.cells = packed[1]
    tableau.open = tableau.due = tableau.free_cells = tableau.empty_columns = 0
    packed += 2
    for index in range(4):
        tableau.home[index] = packed[index]
        if packed[index] < 13:
            tableau.due |= bit(4 * packed[index] + index)
    packed += 4
    for index in range(tableau.cells):
        tableau.cell[index] = packed[index]
        if packed[index] == NO_CARD:
            tableau.free_cells += 1
        else:
            lay_open(tableau, packed[index], CELL_PLACE + index)
    packed += tableau.cells
    for index in range(tableau.columns):
        tableau.height[index] = packed[0]
        memcpy(tableau.column[index], packed + 1, packed[0])
        if packed[0]:
            lay_open(tableau, packed[packed[0]], index)
        else:
            tableau.empty_columns += 1
        packed += 1 + packed[0]


cdef inline void lay_open(Tableau *tableau, int card, int place) noexcept nogil:
    tableau.open |= bit(card)
    tableau.place[card] = place


cdef inline bint is_column(const Tableau *tableau, int place) noexcept nogil:
    return place < tableau.columns


cdef inline bint is_cell(const Tableau *tableau, int place) noexcept nogil:
    return CELL_PLACE <= place < CELL_PLACE + tableau.cells


cdef inline int carry(
    Tableau *tableau, const Rules *rules, const uint8_t *step, uint8_t *run
) noexcept nogil:
    # Carries out one step and leaves its cards in `run`. Returns what it counts in single moves, 0
    # if the rules refuse it.
    cdef int source = step[0], target = step[1], count = step[2]
    cdef int index, cost = 1, whole, into_empty
    cdef int free_cells = tableau.free_cells, empty_columns = tableau.empty_columns
    if count < 1 or source == target:
        return 0

    if is_column(tableau, source):
        if tableau.height[source] < count:
            return 0
        for index in range(count):
            run[index] = tableau.column[source][tableau.height[source] - count + index]
    elif is_cell(tableau, source):
        if count != 1 or tableau.cell[source - CELL_PLACE] == NO_CARD:
            return 0
        run[0] = tableau.cell[source - CELL_PLACE]
    else:
        return 0

    if target == HOME_PLACE:
        if count != 1 or tableau.home[suit(run[0])] != rank(run[0]):
            return 0
        take_home(tableau, source, run)
    elif is_cell(tableau, target):
        if count != 1 or tableau.cell[target - CELL_PLACE] != NO_CARD:
            return 0
        take_off(tableau, source, run, count)
        tableau.cell[target - CELL_PLACE] = run[0]
        tableau.free_cells -= 1
        lay_open(tableau, run[0], target)
    elif is_column(tableau, target):
        for index in range(1, count):
            if not fits(rules, run[index], run[index - 1]):
                return 0
        into_empty = tableau.height[target] == 0
        if into_empty:
            if not fills(rules, run[0]):
                return 0
        elif not fits(rules, run[0], tableau.column[target][tableau.height[target] - 1]):
            return 0
        if count > rules.limit[into_empty][free_cells][empty_columns]:
            return 0
        whole = is_column(tableau, source) and tableau.height[source] == count
        cost = rules.cost[whole][into_empty][count][free_cells][empty_columns - into_empty]
        take_off(tableau, source, run, count)
        if into_empty:
            tableau.empty_columns -= 1
        else:
            tableau.open ^= bit(tableau.column[target][tableau.height[target] - 1])
        for index in range(count):
            tableau.column[target][tableau.height[target] + index] = run[index]
        tableau.height[target] += count
        lay_open(tableau, run[count - 1], target)
    else:
        return 0
    return cost


cdef inline void take_off(
    Tableau *tableau, int source, const uint8_t *run, int count
) noexcept nogil:
    # Takes the run off its column or the card out of its cell.
    tableau.open ^= bit(run[count - 1])
    if not is_column(tableau, source):
        tableau.cell[source - CELL_PLACE] = NO_CARD
        tableau.free_cells += 1
        return
    tableau.height[source] -= count
    if tableau.height[source]:
        lay_open(tableau, tableau.column[source][tableau.height[source] - 1], source)
    else:
        tableau.empty_columns += 1


cdef inline void take_home(Tableau *tableau, int source, const uint8_t *card) noexcept nogil:
    take_off(tableau, source, card, 1)
    tableau.home[suit(card[0])] += 1
    tableau.due ^= bit(card[0])
    if card[0] + 4 < DECK:
        tableau.due |= bit(card[0] + 4)


cdef inline void play_home(Tableau *tableau, const Rules *rules, int policy) noexcept nogil:
    # All that the policy takes home by itself.
    cdef int index
    cdef uint8_t card
    cdef bint found = policy != OFF
    while found and tableau.due & tableau.open:
        found = False
        for index in range(4):
            card = <uint8_t>(4 * tableau.home[index] + index)
            while card < DECK and tableau.open & bit(card) and goes_by_itself(
                rules, policy, card, tableau.home
            ):
                take_home(tableau, tableau.place[card], &card)
                card += 4
                found = True


cdef inline bint replay(
    const uint8_t *packed, const Rules *rules, int policy,
    const uint8_t *steps, int count, Tally *tally
) noexcept nogil:
    # Replays `count` steps from a packed board. True if every one is legal and all cards end home.
    # A second tableau is the player's, where the policy takes cards home at once: a step all of
    # whose cards are home there is no move of the player's, others are without those cards.
    cdef Tableau tableau, player
    cdef uint8_t run[52]
    cdef uint8_t step[STEP]
    cdef int index, card, cost
    lay_out(&tableau, packed)
    player = tableau
    play_home(&player, rules, policy)
    tally.moves = tally.singles = 0
    for index in range(count):
        memcpy(step, steps + STEP * index, STEP)
        cost = carry(&tableau, rules, step, run)
        if cost == 0:
            return False
        tally.singles += cost
        step[2] = 0
        for card in range(steps[STEP * index + 2]):
            step[2] += rank(run[card]) >= player.home[suit(run[card])]
        if step[2]:
            if not carry(&player, rules, step, run):
                return False
            tally.moves += 1
            play_home(&player, rules, policy)
    tally.home = tableau.home[0] + tableau.home[1] + tableau.home[2] + tableau.home[3]
    return tally.home == DECK
