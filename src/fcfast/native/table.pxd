# The positions of a search, each once: an array of nodes and an open-addressing index over it.
#
# One memory block, reserved once per Solver; only pages that a search touches become memory.
#
#     [ node 0 | node 1 | ...            ][ slot | slot | ...        ]
#
# A slot is the number of a node, or EMPTY. The index starts small and doubles in place, so that a
# short search clears 16 KB and a long one fills the block.

from libc.stdint cimport int64_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fcfast.native.key cimport Key, key_hash, same_key
from fcfast.native.move cimport Move

cdef enum:
    FIRST_SLOTS = 4096
    EMPTY = 0xFFFFFFFF

cdef struct Node:
    Key key
    uint32_t parent
    uint32_t next           # in its bucket of the queue
    Move move               # that led here from the parent
    uint16_t depth

cdef struct Table:
    Node *nodes
    uint32_t *slots
    uint32_t count
    uint32_t capacity       # nodes the block has room for
    uint32_t mask           # slots in use now, minus one
    uint32_t most_slots


cdef inline int64_t bytes_used(const Table *table) noexcept nogil:
    return table.count * <int64_t>sizeof(Node) + (<int64_t>table.mask + 1) * sizeof(uint32_t)


cdef inline bint reserve(Table *table, int64_t memory_limit) noexcept nogil:
    # The block for at most `memory_limit` bytes. False where the system has not got it.
    cdef int64_t slots = FIRST_SLOTS, capacity
    cdef int64_t most = memory_limit // <int64_t>(2 * sizeof(uint32_t) + sizeof(Node))
    while 2 * slots < EMPTY and slots <= most:
        slots *= 2
    capacity = (memory_limit - slots * <int64_t>sizeof(uint32_t)) // <int64_t>sizeof(Node)
    capacity = max(<int64_t>1, min(capacity, slots * 7 // 8))
    table.nodes = <Node *>malloc(capacity * sizeof(Node) + slots * sizeof(uint32_t))
    if table.nodes == NULL:
        return False
    table.slots = <uint32_t *>(table.nodes + capacity)
    table.capacity = <uint32_t>capacity
    table.most_slots = <uint32_t>slots
    return True


cdef inline void release(Table *table) noexcept nogil:
    free(table.nodes)
    table.nodes = NULL


cdef inline void empty(Table *table) noexcept nogil:
    table.count = 0
    table.mask = FIRST_SLOTS - 1
    memset(table.slots, 0xFF, FIRST_SLOTS * sizeof(uint32_t))


cdef inline void double_slots(Table *table) noexcept nogil:
    cdef uint32_t index, slot
    table.mask = 2 * table.mask + 1
    memset(table.slots, 0xFF, (<size_t>table.mask + 1) * sizeof(uint32_t))
    index = table.count
    while index:  # the newest first, which is then found first
        index -= 1
        slot = <uint32_t>key_hash(&table.nodes[index].key) & table.mask
        while table.slots[slot] != EMPTY:
            slot = (slot + 1) & table.mask
        table.slots[slot] = index


cdef inline uint32_t add(Table *table, const Key *key) noexcept nogil:
    # The new node of a key; EMPTY if it was there already. The caller checks is_full() before.
    cdef uint32_t slot
    if table.count > table.mask // 4 * 3 and table.mask + 1 < table.most_slots:
        double_slots(table)
    slot = <uint32_t>key_hash(key) & table.mask
    while table.slots[slot] != EMPTY:
        if same_key(&table.nodes[table.slots[slot]].key, key):
            return EMPTY
        slot = (slot + 1) & table.mask
    table.slots[slot] = table.count
    table.nodes[table.count].key = key[0]
    table.count += 1
    return table.count - 1


cdef inline uint32_t find(const Table *table, const Key *key) noexcept nogil:
    # The node of a key, EMPTY if there is none.
    cdef uint32_t slot = <uint32_t>key_hash(key) & table.mask
    while table.slots[slot] != EMPTY and not same_key(&table.nodes[table.slots[slot]].key, key):
        slot = (slot + 1) & table.mask
    return table.slots[slot]


cdef inline uint32_t replace(Table *table, uint32_t known) noexcept nogil:
    # A new node for the key of a known one, which stays but is not found any more. The caller
    # checks is_full() before.
    cdef uint32_t slot
    table.nodes[table.count].key = table.nodes[known].key
    slot = <uint32_t>key_hash(&table.nodes[known].key) & table.mask
    while table.slots[slot] != known:
        slot = (slot + 1) & table.mask
    table.slots[slot] = table.count
    table.count += 1
    return table.count - 1


cdef inline bint is_full(const Table *table) noexcept nogil:
    return table.count >= table.capacity


cdef inline int path_length(const Table *table, uint32_t last) noexcept nogil:
    cdef int length = 0
    while table.nodes[last].parent != EMPTY:
        last = table.nodes[last].parent
        length += 1
    return length


cdef inline void path(const Table *table, uint32_t last, Move *moves) noexcept nogil:
    # The moves from the root to a node, path_length() of them, without those made by themselves.
    cdef int left = path_length(table, last)
    while left:
        left -= 1
        moves[left] = table.nodes[last].move
        last = table.nodes[last].parent
