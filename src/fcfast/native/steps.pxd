# Writing a path out: from moves of cards to steps between numbered places, home moves included.

from libc.stdint cimport uint8_t

from fcfast.native.autoplay cimport next_home_move
from fcfast.native.card cimport CELL, FLOOR, HOME, bit
from fcfast.native.move cimport FROM_CELL, Move, make_move, move_card, move_onto
from fcfast.native.movegen cimport Undo, apply
from fcfast.native.replay cimport CELL_PLACE, HOME_PLACE, STEP
from fcfast.native.rules cimport Rules
from fcfast.native.state cimport State


cdef inline int write_step(State *state, Move move, uint8_t *step) noexcept nogil:
    # Applies the move and writes it as a step. The source is looked up: the search may have had
    # its columns in another order.
    cdef Undo undo
    cdef int card = move_card(move), onto = move_onto(move), count = 1, column = 0, above
    if state.celled & bit(card):
        column = FROM_CELL
    else:
        while True:
            above = state.top[column]
            count = 1
            while above != card and above != FLOOR:
                above = state.under[above]
                count += 1
            if above == card:
                break
            column += 1
    apply(state, make_move(card, onto, column), &undo)
    step[0] = undo.source + (CELL_PLACE if column == FROM_CELL else 0)
    step[1] = HOME_PLACE if onto == HOME else undo.target + (CELL_PLACE if onto == CELL else 0)
    step[2] = count
    return STEP


cdef inline int write_home_steps(
    State *state, const Rules *rules, int policy, uint8_t *steps
) noexcept nogil:
    # Plays and writes what goes home by itself; returns the bytes written.
    cdef int size = 0
    cdef Move move = next_home_move(state, rules, policy)
    while move:
        size += write_step(state, move, steps + size)
        move = next_home_move(state, rules, policy)
    return size


cdef inline int write_steps(
    State *state, const Rules *rules, int policy, const Move *moves, int count, uint8_t *steps
) noexcept nogil:
    # Plays `count` moves from `state`, each followed by what goes home by itself, which comes first
    # too; writes at most STEP * (count + 52) bytes and returns how many.
    cdef int index, size = write_home_steps(state, rules, policy, steps)
    for index in range(count):
        size += write_step(state, moves[index], steps + size)
        size += write_home_steps(state, rules, policy, steps + size)
    return size
