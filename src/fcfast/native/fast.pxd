# The fast search: short searches one after another, each for what the ones before leave.
#
#     macros of cells and runs     solve 97 of 100 deals within 320 expansions, or hardly ever
#     macros of cells              solve most of those that run macros spoil
#     both, with suits exchanged   the net sees another deal
#     run macros and all moves     what a choosy search (lazy.pxd) leaves out, hard deals want
#     no macros, safe autoplay     the few that can only be won with a card kept from home
#
# Quotas, weights and order are what annealing over 56 searches gave, on half of the deals
# 8000001..8024000 that the first search does not solve within 80 expansions; from the fifth search
# on, over 40, on a sixth of the 2,089 deals of 7000001..8000000 that the first four leave.
# It never says that there is no win; the complete search, which comes after, does.

from fcfast.native.autoplay cimport ALL, SAFE
from fcfast.native.card cimport DECK
from fcfast.native.lazy cimport FAILED, KEYS, Lazy, Stage, bytes_held, run
from fcfast.native.macro cimport CELL_MACROS, NO_MACROS, RUN_MACROS
from fcfast.native.state cimport State

cdef enum:
    STAGES = 7

cdef struct Fast:
    Lazy lazy
    Stage stage[7]


cdef inline void set_stage(
    Stage *stage, int quota, int macros, int policy, int weight, int drop, int exchange,
    bint choosy
) noexcept nogil:
    # `exchange` is XORed to every suit: 3 exchanges within the colours.
    cdef int card
    stage.quota, stage.macros, stage.policy = quota, macros, policy
    stage.weight, stage.drop, stage.choosy = weight, drop, choosy
    for card in range(DECK):
        stage.relabel[card] = card ^ exchange


cdef inline void set_stages(Fast *self) noexcept nogil:
    set_stage(&self.stage[0], 320, RUN_MACROS, ALL, 16, 48, 0, True)
    set_stage(&self.stage[1], 1500, CELL_MACROS, ALL, 6, 64, 0, True)
    set_stage(&self.stage[2], 500, RUN_MACROS, ALL, 24, 64, 1, True)
    set_stage(&self.stage[3], 1500, CELL_MACROS, ALL, 9, 48, 3, True)
    set_stage(&self.stage[4], 4000, RUN_MACROS, ALL, 16, KEYS, 3, False)
    set_stage(&self.stage[5], 6000, CELL_MACROS, ALL, 6, 64, 1, True)
    set_stage(&self.stage[6], 6000, NO_MACROS, SAFE, 7, KEYS, 0, False)


cdef inline int search(Fast *self, const State *root, int autoplay) noexcept nogil:
    # WON, HALTED by a limit, or FAILED. Where the game is played under autoplay ALL, only by
    # stages that send all home.
    cdef int index, outcome
    for index in range(STAGES):
        if autoplay == ALL and self.stage[index].policy != ALL:
            continue
        outcome = run(&self.lazy, &self.stage[index], root)
        self.lazy.watch.bytes = bytes_held(&self.lazy)
        if outcome != FAILED:
            return outcome
    return FAILED
