# Sixteen int16 numbers at once: the rows and sums of a net. Cimports nothing.
#
# Compiler vectors of 32 bytes: two SSE2 registers, one AVX2 register, or what else there is. A
# compiler that has none gets loops over arrays.

from libc.stdint cimport int16_t, int32_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__SSE2__) || defined(_M_X64)
    #include <immintrin.h>
    #endif

    #if defined(__GNUC__)
    typedef int16_t fcfast_vector __attribute__((vector_size(32)));
    #define FCFAST_EACH(a, op, b) return (a) op (b)
    #else
    typedef struct { int16_t lane[16]; } fcfast_vector;
    #define FCFAST_EACH(a, op, b) \\
        fcfast_vector sum; \\
        for (int lane = 0; lane < 16; lane++) sum.lane[lane] = (a).lane[lane] op (b).lane[lane]; \\
        return sum
    #endif

    static inline fcfast_vector fcfast_fetch(const int16_t *from) {
        fcfast_vector row;
        memcpy(&row, from, sizeof row);
        return row;
    }
    static inline void fcfast_keep(int16_t *to, fcfast_vector row) {
        memcpy(to, &row, sizeof row);
    }
    static inline fcfast_vector fcfast_plus(fcfast_vector a, fcfast_vector b) {
        FCFAST_EACH(a, +, b);
    }
    static inline fcfast_vector fcfast_minus(fcfast_vector a, fcfast_vector b) {
        FCFAST_EACH(a, -, b);
    }

    /* The sum of products of what is above zero in `sums` with `weights`. */
    static inline int32_t fcfast_product(fcfast_vector sums, const int16_t *weights) {
    #if defined(__SSE2__) || defined(_M_X64)
        __m128i half[2], zero = _mm_setzero_si128();
        memcpy(half, &sums, sizeof half);
        __m128i low = _mm_madd_epi16(_mm_max_epi16(half[0], zero),
                                     _mm_loadu_si128((const __m128i *)weights));
        __m128i high = _mm_madd_epi16(_mm_max_epi16(half[1], zero),
                                      _mm_loadu_si128((const __m128i *)(weights + 8)));
        low = _mm_add_epi32(low, high);
        low = _mm_add_epi32(low, _mm_shuffle_epi32(low, 0x4e));
        low = _mm_add_epi32(low, _mm_shuffle_epi32(low, 0xb1));
        return _mm_cvtsi128_si32(low);
    #else
        int16_t sum[16];
        int32_t total = 0;
        memcpy(sum, &sums, sizeof sum);
        for (int lane = 0; lane < 16; lane++)
            if (sum[lane] > 0) total += sum[lane] * weights[lane];
        return total;
    #endif
    }

    /* Is there a second module for processors with AVX2, and is this one? */
    static int fcfast_has_avx2(void) {
    #if defined(FCFAST_TWICE) && defined(__GNUC__) && defined(__x86_64__)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    #elif defined(FCFAST_TWICE) && defined(_MSC_VER)
        int info[4];
        __cpuid(info, 1);
        if ((info[2] & (1 << 27)) == 0 || (_xgetbv(0) & 6) != 6) return 0;
        __cpuidex(info, 7, 0);
        return (info[1] & (1 << 5)) != 0 && (info[1] & (1 << 8)) != 0;
    #else
        return 0;
    #endif
    }
    """
    bint cpu_has_avx2 "fcfast_has_avx2"() noexcept nogil
    ctypedef struct Vector "fcfast_vector":
        pass
    Vector fetch "fcfast_fetch"(const int16_t *row) noexcept nogil
    void keep "fcfast_keep"(int16_t *row, Vector sums) noexcept nogil
    Vector plus "fcfast_plus"(Vector sums, Vector row) noexcept nogil
    Vector minus "fcfast_minus"(Vector sums, Vector row) noexcept nogil
    int32_t product "fcfast_product"(Vector sums, const int16_t *weights) noexcept nogil

cdef enum:
    WIDE = 16
