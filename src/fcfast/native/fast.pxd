# The fast search: short searches one after another, each for what the ones before leave.
#
#     macros of cells and runs     solve 97 of 100 deals within 320 expansions, or hardly ever
#     macros of cells              solve most of those that run macros spoil
#     run macros and all moves     what a choosy search (lazy.pxd) leaves out; suits exchanged, so
#                                  that the net sees another deal
#     no macros, safe autoplay     the few that can only be won with a card kept from home
#     all of these once more, with other weights and suits
#
# Searches, quotas and order are what bench/train/stages.py prints. None of them says that there is
# no win; the complete search, which comes after, does.

from fcfast.native.autoplay cimport ALL, SAFE
from fcfast.native.card cimport DECK
from fcfast.native.lazy cimport FAILED, KEYS, Lazy, Stage, bytes_held, run
from fcfast.native.macro cimport CELL_MACROS, NO_MACROS, RUN_MACROS
from fcfast.native.state cimport State

cdef enum:
    STAGES_MOST = 8

cdef struct Fast:
    Lazy lazy
    Stage stage[8]
    int stages


cdef inline void add_stage(
    Fast *self, int quota, int macros, int policy, int weight, int drop, int exchange, bint choosy
) noexcept nogil:
    # `exchange` is XORed to every suit: 3 exchanges within the colours.
    cdef Stage *stage = &self.stage[self.stages]
    cdef int card
    self.stages += 1
    stage.quota, stage.macros, stage.policy = quota, macros, policy
    stage.weight, stage.drop, stage.choosy = weight, drop, choosy
    for card in range(DECK):
        stage.relabel[card] = card ^ exchange


cdef inline void set_stages(Fast *self) noexcept nogil:
    self.stages = 0
    add_stage(self, 320, RUN_MACROS, ALL, 16, 48, 0, True)
    add_stage(self, 1500, CELL_MACROS, ALL, 6, 64, 1, True)
    add_stage(self, 3000, RUN_MACROS, ALL, 24, KEYS, 3, False)
    add_stage(self, 6000, NO_MACROS, SAFE, 7, KEYS, 0, False)
    add_stage(self, 6000, CELL_MACROS, ALL, 12, 64, 1, True)
    add_stage(self, 6000, RUN_MACROS, ALL, 24, KEYS, 1, False)
    add_stage(self, 6000, RUN_MACROS, ALL, 24, 64, 2, True)


cdef inline int search(Fast *self, const State *root, int autoplay) noexcept nogil:
    # WON, HALTED by a limit, or FAILED. Where the game is played under autoplay ALL, only by
    # stages that send all home.
    cdef int index, outcome
    for index in range(self.stages):
        if autoplay == ALL and self.stage[index].policy != ALL:
            continue
        outcome = run(&self.lazy, &self.stage[index], root)
        self.lazy.watch.bytes = bytes_held(&self.lazy)
        if outcome != FAILED:
            return outcome
    return FAILED
