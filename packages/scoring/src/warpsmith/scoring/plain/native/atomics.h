// CUDA's atomic functions. Threads run one at a time, so that they only have to find the memory, see `warpsmith_place`.
#pragma once

#define WARPSMITH_ATOMIC(name, type, result)                        \
    static inline type name(type* at, type value)                   \
    {                                                               \
        warpsmith_place<type> place(at);                            \
        const type old = *place.real;                               \
        return place.exchange(result);                              \
    }
#define WARPSMITH_SUMS(type)                           \
    WARPSMITH_ATOMIC(atomicAdd, type, old + value)     \
    WARPSMITH_ATOMIC(atomicExch, type, value)
#define WARPSMITH_ORDERS(type)                                        \
    WARPSMITH_ATOMIC(atomicMax, type, old > value ? old : value)      \
    WARPSMITH_ATOMIC(atomicMin, type, old < value ? old : value)
#define WARPSMITH_BITS(type)                           \
    WARPSMITH_ATOMIC(atomicAnd, type, old & value)     \
    WARPSMITH_ATOMIC(atomicOr, type, old | value)      \
    WARPSMITH_ATOMIC(atomicXor, type, old ^ value)
#define WARPSMITH_SWAPS(type)                                         \
    static inline type atomicCAS(type* at, type compare, type value)  \
    {                                                                 \
        warpsmith_place<type> place(at);                              \
        const type old = *place.real;                                 \
        return place.exchange(old == compare ? value : old);          \
    }

WARPSMITH_SUMS(int)
WARPSMITH_SUMS(unsigned int)
WARPSMITH_SUMS(unsigned long long)
WARPSMITH_SUMS(float)
WARPSMITH_ATOMIC(atomicAdd, double, old + value)
WARPSMITH_ATOMIC(atomicSub, int, old - value)
WARPSMITH_ATOMIC(atomicSub, unsigned int, old - value)
WARPSMITH_ORDERS(int)
WARPSMITH_ORDERS(unsigned int)
WARPSMITH_ORDERS(long long)
WARPSMITH_ORDERS(unsigned long long)
WARPSMITH_BITS(int)
WARPSMITH_BITS(unsigned int)
WARPSMITH_BITS(unsigned long long)
WARPSMITH_ATOMIC(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
WARPSMITH_ATOMIC(atomicDec, unsigned int, old == 0u || old > value ? value : old - 1u)
WARPSMITH_SWAPS(int)
WARPSMITH_SWAPS(unsigned int)
WARPSMITH_SWAPS(unsigned long long)
WARPSMITH_SWAPS(unsigned short)
#undef WARPSMITH_ATOMIC
#undef WARPSMITH_SUMS
#undef WARPSMITH_ORDERS
#undef WARPSMITH_BITS
#undef WARPSMITH_SWAPS
