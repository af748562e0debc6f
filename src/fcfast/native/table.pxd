# The positions of a search, each once: an array of nodes and an open-addressing index over it.
#
# One memory block, reserved once per Solver; only pages that a search touches become memory.
#
#     [ node 0 | node 1 | ...            ][ slot | slot | ...        ]
#
# A slot is the number of a node, or EMPTY; the bits that no number needs are of its key's hash, so
# that a slot of another key is seldom followed to its node. The index starts small and doubles in
# place, so that a short search clears 16 KB and a long one fills the block.

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from fcfast.native.atomic cimport prefetch
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
    uint32_t most_slots     # a power of two: the bits of a number are those below it


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


cdef inline uint32_t slot_of(const Table *table, uint32_t index) noexcept nogil:
    # What a slot holds of a node.
    cdef uint32_t tag = <uint32_t>(key_hash(&table.nodes[index].key) >> 32)
    return index | (tag & ~(table.most_slots - 1))


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
        table.slots[slot] = slot_of(table, index)


cdef inline uint32_t seek(const Table *table, const Key *key, uint64_t hash) noexcept nogil:
    # The number of the slot that holds a key, or of the empty one where it would be.
    cdef uint32_t slot = <uint32_t>hash & table.mask, numbers = table.most_slots - 1
    cdef uint32_t tag = <uint32_t>(hash >> 32) & ~numbers, found = table.slots[slot]
    while found != EMPTY and (
        (found & ~numbers) != tag or not same_key(&table.nodes[found & numbers].key, key)
    ):
        slot = (slot + 1) & table.mask
        found = table.slots[slot]
    return slot


cdef inline uint32_t add(Table *table, const Key *key) noexcept nogil:
    # The new node of a key; EMPTY if it was there already. The caller checks is_full() before.
    cdef uint32_t slot
    if table.count > table.mask // 4 * 3 and table.mask + 1 < table.most_slots:
        double_slots(table)
    slot = seek(table, key, key_hash(key))
    if table.slots[slot] != EMPTY:
        return EMPTY
    return append(table, key, slot)


cdef inline uint32_t append(Table *table, const Key *key, uint32_t slot) noexcept nogil:
    # A new node, and the slot says so.
    cdef uint32_t index = table.count
    table.nodes[index].key = key[0]
    table.slots[slot] = slot_of(table, index)
    table.count += 1
    return index


cdef inline void expect(const Table *table, const Key *key) noexcept nogil:
    # find() or add() will ask for it soon.
    prefetch(&table.slots[<uint32_t>key_hash(key) & table.mask])


cdef inline uint32_t find(const Table *table, const Key *key) noexcept nogil:
    # The node of a key, EMPTY if there is none.
    cdef uint32_t found = table.slots[seek(table, key, key_hash(key))]
    return found if found == EMPTY else found & (table.most_slots - 1)


cdef inline uint32_t replace(Table *table, uint32_t known) noexcept nogil:
    # A new node for the key of a known one, which stays but is not found any more. The caller
    # checks is_full() before.
    cdef const Key *key = &table.nodes[known].key
    return append(table, key, seek(table, key, key_hash(key)))


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
