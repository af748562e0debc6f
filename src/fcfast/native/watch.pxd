# Limits and interruption, shared by all searches: one Watch counts for every stage of a solve.
#
# A search calls tick() once per expanded position. The clock is read every 64 ticks and the owner
# asked, with the GIL, every 20 ms: signals, `cancel` and progress are its business.

from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from fcfast.native.atomic cimport fetch_add

cdef extern from *:
    """
    #include <time.h>
    static double fcfast_now(void) {
        struct timespec now;
        #ifdef CLOCK_MONOTONIC
        clock_gettime(CLOCK_MONOTONIC, &now);
        #else
        timespec_get(&now, TIME_UTC);
        #endif
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    """
    double now "fcfast_now"() noexcept nogil

cdef enum Limit:
    NO_LIMIT = 0
    NODES = 1
    TIME = 2
    MEMORY = 3
    CANCELLED = 4

cdef struct Watch:
    int64_t nodes           # positions expanded so far, all stages together
    int64_t node_limit
    double started          # seconds on the monotonic clock
    double deadline
    double next_question    # when the owner is asked next
    int64_t bytes           # in use by the stage that runs, for progress
    int stage
    int reached             # the Limit that stopped the search
    PyObject *owner         # its _question() returns a true value to stop

cdef enum:
    TICKS = 64              # reading the clock at each would cost 25 ns a node


cdef inline void start(Watch *watch, int64_t node_limit, double time_limit) noexcept nogil:
    watch.nodes = watch.bytes = 0
    watch.node_limit = node_limit
    watch.started = now()
    watch.deadline = watch.started + time_limit
    watch.next_question = watch.started + 0.02
    watch.stage = 0
    watch.reached = NO_LIMIT


cdef inline int ask_owner(Watch *watch) noexcept with gil:
    try:
        return bool((<object>watch.owner)._question())
    except BaseException as error:
        (<object>watch.owner)._raised = error
        return True


cdef inline bint tick(Watch *watch) noexcept nogil:
    # Counts one expansion. False, with the reason in `reached`, where the search has to stop.
    if watch.nodes >= watch.node_limit:
        watch.reached = NODES
        return False
    if watch.nodes % TICKS == 0 and not look_up(watch):
        return False
    watch.nodes += 1
    return True


cdef inline bint tick_shared(Watch *watch) noexcept nogil:
    # tick() for several threads with one Watch, no less exact.
    cdef int64_t nodes = fetch_add(&watch.nodes, 1)
    if nodes >= watch.node_limit:
        watch.reached = NODES
    if nodes < watch.node_limit and (nodes % TICKS or look_up(watch)):
        return True
    fetch_add(&watch.nodes, -1)
    return False


cdef inline bint look_up(Watch *watch) noexcept nogil:
    # At the clock, and now and then to the owner.
    cdef double time = now()
    if time >= watch.deadline:
        watch.reached = TIME
        return False
    if time >= watch.next_question:
        watch.next_question = time + 0.02
        if ask_owner(watch):
            watch.reached = CANCELLED
            return False
    return True
