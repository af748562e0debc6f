# The position: what lies under each card, and from there columns and cells by their tops.
#
# 108 bytes whatever the heights of the columns; moving a run of any length changes one `under`
# and two tops.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, NO_CARD, bit, rank, suit
from fcfast.native.rules cimport MAX_CELLS, MAX_COLUMNS

cdef struct State:
    uint64_t tops           # bit per card that is the last of its column
    uint64_t celled         # bit per card in a cell
    uint8_t under[52]       # a card, FLOOR, CELL or HOME
    uint8_t top[13]         # per column its last card, or FLOOR
    uint8_t cell[10]        # per cell its card, or NO_CARD
    uint8_t home[4]         # per suit the number of cards home, which is the rank due next
    uint8_t columns
    uint8_t cells
    uint8_t free_cells
    uint8_t empty_columns

cdef enum:
    PACKED_MOST = 2 + 4 + MAX_CELLS + MAX_COLUMNS + DECK  # bytes of Board.pack() at most


cdef inline void push(State *state, int column, int head, int last) noexcept nogil:
    # Puts the run head..last (one card: the same) on a column.
    cdef int onto = state.top[column]
    state.under[head] = onto
    if onto == FLOOR:
        state.empty_columns -= 1
    else:
        state.tops ^= bit(onto)
    state.top[column] = last
    state.tops |= bit(last)


cdef inline int pop(State *state, int column, int head) noexcept nogil:
    # Takes the run from `head` to the end off a column; returns the run's last card.
    cdef int last = state.top[column]
    cdef int bared = state.under[head]
    state.tops ^= bit(last)
    state.top[column] = bared
    if bared == FLOOR:
        state.empty_columns += 1
    else:
        state.tops |= bit(bared)
    return last


cdef inline void fill_cell(State *state, int index, int card) noexcept nogil:
    state.cell[index] = card
    state.celled |= bit(card)
    state.under[card] = CELL
    state.free_cells -= 1


cdef inline void empty_cell(State *state, int index) noexcept nogil:
    state.celled ^= bit(state.cell[index])
    state.cell[index] = NO_CARD
    state.free_cells += 1


cdef inline int column_with_top(const State *state, int top) noexcept nogil:
    # The first column that ends in `top` (FLOOR: the first empty one).
    cdef int column = 0
    while state.top[column] != top:
        column += 1
    return column


cdef inline int cell_with(const State *state, int card) noexcept nogil:
    # The first cell that holds `card` (NO_CARD: the first free one).
    cdef int index = 0
    while state.cell[index] != card:
        index += 1
    return index


cdef inline bint is_won(const State *state) noexcept nogil:
    return state.home[0] + state.home[1] + state.home[2] + state.home[3] == DECK


cdef inline void clear(State *state, int columns, int cells) noexcept nogil:
    memset(state, 0, sizeof(State))
    memset(state.under, HOME, DECK)
    memset(state.top, FLOOR, MAX_COLUMNS)
    memset(state.cell, NO_CARD, MAX_CELLS)
    state.columns = state.empty_columns = columns
    state.cells = state.free_cells = cells


cdef inline void load(State *state, const uint8_t *packed) noexcept nogil:
    # Reads Board.pack(), which has been checked on the Python side.
    cdef int index, height
    clear(state, packed[0], packed[1])
    for index in range(4):
        state.home[index] = packed[2 + index]
    packed += 6
    for index in range(state.cells):
        if packed[index] != NO_CARD:
            fill_cell(state, index, packed[index])
    packed += state.cells
    for index in range(state.columns):
        for height in range(1, packed[0] + 1):
            push(state, index, packed[height], packed[height])
        packed += packed[0] + 1


cdef inline int store(const State *state, uint8_t *packed) noexcept nogil:
    # Writes what load() reads; returns the number of bytes.
    cdef int index, card, height, size = 6 + state.cells
    packed[0] = state.columns
    packed[1] = state.cells
    for index in range(4):
        packed[2 + index] = state.home[index]
    for index in range(state.cells):
        packed[6 + index] = state.cell[index]
    for index in range(state.columns):
        height = 0
        card = state.top[index]
        while card != FLOOR:
            height += 1
            card = state.under[card]
        packed[size] = height
        card = state.top[index]
        while card != FLOOR:
            packed[size + height] = card
            height -= 1
            card = state.under[card]
        size += packed[size] + 1
    return size


cdef inline bint state_ok(const State *state) noexcept nogil:
    # Everything derived recomputed, every card seen once: for debug builds and tests.
    cdef uint64_t seen = 0, tops = 0, celled = 0
    cdef int index, card, free = 0, empty = 0
    for index in range(state.columns):
        card = state.top[index]
        if card == FLOOR:
            empty += 1
        else:
            tops |= bit(card)
        while card != FLOOR:
            if card >= DECK or seen & bit(card):
                return False
            seen |= bit(card)
            card = state.under[card]
    for index in range(state.cells):
        card = state.cell[index]
        if card == NO_CARD:
            free += 1
            continue
        if card >= DECK or seen & bit(card) or state.under[card] != CELL:
            return False
        seen |= bit(card)
        celled |= bit(card)
    for card in range(DECK):
        if rank(card) < state.home[suit(card)]:
            if seen & bit(card) or state.under[card] != HOME:
                return False
            seen |= bit(card)
    return (
        seen == bit(DECK) - 1 and tops == state.tops and celled == state.celled
        and free == state.free_cells and empty == state.empty_columns
    )
