# The five atomic operations that threads sharing one table need. Cimports nothing of the core.

from libc.stdint cimport int64_t, uint64_t

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static inline unsigned long long fcfast_load(void *at) {
        unsigned long long found = *(volatile unsigned long long *)at;
        _ReadWriteBarrier(); return found; }
    static inline void fcfast_store(void *at, unsigned long long value) {
        _InterlockedExchange64((volatile long long *)at, (long long)value); }
    static inline int fcfast_claim(void *at, unsigned long long value) {
        return _InterlockedCompareExchange64((volatile long long *)at, (long long)value, 0) == 0; }
    static inline unsigned long long fcfast_or(void *at, unsigned long long bits) {
        return (unsigned long long)_InterlockedOr64((volatile long long *)at, (long long)bits); }
    static inline long long fcfast_add(void *at, long long value) {
        return _InterlockedExchangeAdd64((volatile long long *)at, value); }
    #define fcfast_prefetch(at) _mm_prefetch((const char *)(at), _MM_HINT_T0)
    #else
    static inline unsigned long long fcfast_load(void *at) {
        return __atomic_load_n((unsigned long long *)at, __ATOMIC_ACQUIRE); }
    static inline void fcfast_store(void *at, unsigned long long value) {
        __atomic_store_n((unsigned long long *)at, value, __ATOMIC_RELEASE); }
    static inline int fcfast_claim(void *at, unsigned long long value) {
        unsigned long long zero = 0;
        return __atomic_compare_exchange_n((unsigned long long *)at, &zero, value, 0,
                                           __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); }
    static inline unsigned long long fcfast_or(void *at, unsigned long long bits) {
        return __atomic_fetch_or((unsigned long long *)at, bits, __ATOMIC_ACQ_REL); }
    static inline long long fcfast_add(void *at, long long value) {
        return __atomic_fetch_add((long long *)at, value, __ATOMIC_ACQ_REL); }
    #define fcfast_prefetch(at) __builtin_prefetch(at)
    #endif
    """
    uint64_t load "fcfast_load"(void *at) noexcept nogil
    void store "fcfast_store"(void *at, uint64_t value) noexcept nogil
    bint claim "fcfast_claim"(void *at, uint64_t value) noexcept nogil  # zero becomes `value`
    uint64_t fetch_or "fcfast_or"(void *at, uint64_t bits) noexcept nogil
    int64_t fetch_add "fcfast_add"(void *at, int64_t value) noexcept nogil
    void prefetch "fcfast_prefetch"(const void *at) noexcept nogil
