# Generate, apply, undo. The moves are those of Board.legal_moves(): every legal move that changes
# the position, equal targets once.

from libc.stdint cimport uint8_t, uint64_t

from fcfast.native.card cimport CELL, DECK, FLOOR, HOME, NO_CARD, bit, rank, suit
from fcfast.native.move cimport FROM_CELL, Move, make_move, move_card, move_onto, move_source
from fcfast.native.rules cimport Rules, fills, fits
from fcfast.native.state cimport (
    State, cell_with, column_with_top, empty_cell, fill_cell, pop, push, state_ok,
)

cdef extern from *:
    """
    #include <assert.h>
    #ifdef _MSC_VER
    #include <intrin.h>
    static inline int fcfast_lowest(unsigned long long mask) {
        unsigned long index; _BitScanForward64(&index, mask); return (int)index; }
    static inline int fcfast_highest(unsigned long long mask) {
        unsigned long index; _BitScanReverse64(&index, mask); return (int)index; }
    #else
    #define fcfast_lowest(mask) __builtin_ctzll(mask)
    #define fcfast_highest(mask) (63 - __builtin_clzll(mask))
    #endif
    #define fcfast_assert(what) assert(what)
    """
    int lowest "fcfast_lowest"(uint64_t mask) noexcept nogil
    int highest "fcfast_highest"(uint64_t mask) noexcept nogil
    void c_assert "fcfast_assert"(bint what) noexcept nogil

cdef enum:
    # Columns: 13 * (13 runs to an empty column + 12 tops + cell + home); cells: 10 * (12 + 2).
    MAX_MOVES = 512

cdef struct Undo:
    uint8_t under       # what the card lay on
    uint8_t source      # its column or cell by number
    uint8_t target      # where it went by number


cdef inline bint is_due(const State *state, int card) noexcept nogil:
    # Is the card the next of its suit?
    return state.home[suit(card)] == rank(card)


cdef inline int generate(const State *state, const Rules *rules, Move *moves) noexcept nogil:
    # Writes all moves, returns how many.
    cdef int count = 0, column, cell, card, onto, length
    cdef int most = rules.limit[0][state.free_cells][state.empty_columns]
    cdef int most_to_empty = rules.limit[1][state.free_cells][state.empty_columns]
    cdef uint64_t targets
    for column in range(state.columns):
        card = state.top[column]
        if card == FLOOR:
            continue
        if is_due(state, card):
            moves[count] = make_move(card, HOME, column)
            count += 1
        if state.free_cells:
            moves[count] = make_move(card, CELL, column)
            count += 1
        length = 1
        while length <= most:
            targets = rules.fits[card] & state.tops
            while targets:
                moves[count] = make_move(card, lowest(targets), column)
                count += 1
                targets &= targets - 1
            onto = state.under[card]
            if (state.empty_columns and length <= most_to_empty and onto != FLOOR
                    and fills(rules, card)):
                moves[count] = make_move(card, FLOOR, column)
                count += 1
            if not fits(rules, card, onto):
                break
            card = onto
            length += 1
    for cell in range(state.cells):
        card = state.cell[cell]
        if card == NO_CARD:
            continue
        if is_due(state, card):
            moves[count] = make_move(card, HOME, FROM_CELL)
            count += 1
        targets = rules.fits[card] & state.tops
        while targets:
            moves[count] = make_move(card, lowest(targets), FROM_CELL)
            count += 1
            targets &= targets - 1
        if state.empty_columns and fills(rules, card):
            moves[count] = make_move(card, FLOOR, FROM_CELL)
            count += 1
    return count


cdef inline void apply(State *state, Move move, Undo *undo) noexcept nogil:
    cdef int card = move_card(move), onto = move_onto(move), last = card
    undo.under = state.under[card]
    undo.source = move_source(move)
    if undo.source == FROM_CELL:
        undo.source = cell_with(state, card)
        empty_cell(state, undo.source)
    else:
        last = pop(state, undo.source, card)
    if onto == HOME:
        state.home[suit(card)] += 1
        state.under[card] = HOME
        undo.target = 0
    elif onto == CELL:
        undo.target = cell_with(state, NO_CARD)
        fill_cell(state, undo.target, card)
    else:
        undo.target = column_with_top(state, onto)
        push(state, undo.target, card, last)
    c_assert(state_ok(state))


cdef inline void take_back(State *state, Move move, const Undo *undo) noexcept nogil:
    # Restores the very state, columns and cells by number included.
    cdef int card = move_card(move), onto = move_onto(move), last = card
    if onto == HOME:
        state.home[suit(card)] -= 1
    elif onto == CELL:
        empty_cell(state, undo.target)
    else:
        last = pop(state, undo.target, card)
    if move_source(move) == FROM_CELL:
        fill_cell(state, undo.source, card)
    else:
        push(state, undo.source, card, last)
    c_assert(state_ok(state))
