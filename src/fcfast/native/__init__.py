"""The native core: a header-only ladder and one compiled module.

Cimports point down only::

    engine                          the one compiled file: Solver, and small windows for tests
    fast, exhaustive, proof         the searches, a file each
    beam, optimal                   those for short and for shortest solutions
    bound                           how many moves are left at least
    lazy, macro                     a stage of the fast one; what it plays on by itself
    valued, spread                  the position with its value; the same for reading columns
    net, vector                     the learned evaluation
    evaluate, table, replay         heuristics; sets of positions; the native check of a solution
    solution, layout                where a solution is kept; a deal's number as a packed board
    twins                           positions that differ in the names of twins
    key                             exact, order-free form of a position
    movegen, autoplay               what may be played; what goes home by itself
    move, rules, state              a move in 16 bits; look-up tables of a Variant; the position
    dealing                         the shuffle of numbered deals
    atomic                          what threads sharing a table need
    csv                             rows of numbers as text
    card                            rank, suit, bit of a card

House rules. A function called per node is ``cdef inline ... noexcept nogil`` in a header, takes
pointers and returns an int. A Solver owns one memory block, allocated once, and shares nothing
with another Solver; headers hold no variables. What a search finds is a Status; exceptions are for
the caller's mistakes and are raised before the GIL is let go. Results depend on the board, the
rules and the options, and on nothing else.
"""

import sys

from fcfast.native import engine

if engine.has_avx2():
    # The same source for processors with AVX2: deals take 12 % less time (bench/NOTES.md).
    from fcfast.native import engine_avx2 as engine  # type: ignore[attr-defined, no-redef]

    sys.modules["fcfast.native.engine"] = engine
