# A found solution, and many end to end. Their memory grows as needed and belongs to the caller,
# who frees `moves`, `steps` and `data`.

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from fcfast.native.move cimport Move
from fcfast.native.replay cimport STEP, Tally

cdef enum Wrong:
    NOTHING = 0
    NO_MEMORY = 1
    NO_REPLAY = 2

cdef struct Solution:
    Move *moves             # room for the path of a search
    uint8_t *steps
    int capacity            # steps there is room for
    int count               # steps of the solution, 0 without one
    Tally tally
    int wrong               # what went wrong; the caller raises it

cdef struct Steps:
    uint8_t *data
    int64_t size, capacity  # in bytes


cdef inline void clear_solution(Solution *solution) noexcept nogil:
    solution.count = solution.tally.moves = solution.tally.singles = 0
    solution.wrong = NOTHING


cdef inline bint make_room(Solution *solution, int count) noexcept nogil:
    # Room for `count` moves and steps. False where the system has not got it.
    cdef Move *moves
    cdef uint8_t *steps
    if count <= solution.capacity:
        return True
    moves = <Move *>realloc(solution.moves, count * sizeof(Move))
    if moves == NULL:
        return False
    solution.moves = moves
    steps = <uint8_t *>realloc(solution.steps, count * STEP)
    if steps == NULL:
        return False
    solution.steps = steps
    solution.capacity = count
    return True


cdef inline bint append(Steps *steps, const Solution *solution) noexcept nogil:
    # Adds a solution to the end. False where the system has no memory.
    cdef int64_t size = steps.size + STEP * solution.count
    cdef uint8_t *data
    if solution.count == 0:     # then there may be no memory yet, and memcpy may not get NULL
        return True
    if size > steps.capacity:
        data = <uint8_t *>realloc(steps.data, 2 * size)
        if data == NULL:
            return False
        steps.data = data
        steps.capacity = 2 * size
    memcpy(steps.data + steps.size, solution.steps, STEP * solution.count)
    steps.size = size
    return True
