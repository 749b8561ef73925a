// An operation of the table as a function over the lanes of a warp.
#pragma once
#include "arithmetic.h"
#include "numbers.h"
#include "instruction.h"

#define D results[l]
#define D2 second_results[l]
#define A first_sources[l]
#define B second_sources[l]
#define C third_sources[l]
#define E fourth_sources[l]
#define CC carry[l]
#define DIVIDED_BY_ZERO (divided_by_zero |= 1u << l)

#define PARAMETERS V* registers, const Instruction& i, u32 mask, u32* carry, u32& divided_by_zero
#define SLOTS \
    V *results = registers + i.slot[0] * 32, *second_results = registers + i.slot[1] * 32; \
    const V *first_sources = registers + i.slot[2] * 32, *second_sources = registers + i.slot[3] * 32; \
    const V *third_sources = registers + i.slot[4] * 32, *fourth_sources = registers + i.slot[5] * 32;
#define SOME_LANES(...) for (; mask; mask &= mask - 1) { u32 l = __builtin_ctz(mask); __VA_ARGS__ }
#define ALL_LANES(PRAGMA, ...) _Pragma(PRAGMA) for (int l = 0; l < 32; l++) { __VA_ARGS__ }

// Common operations have a loop over all lanes. VECTOR says that clang vectorizes it: slots are equal or do not overlap. Rare
// operations compile in a tenth of the time.
#define VECTOR(name, ...) static void name(PARAMETERS) { SLOTS \
        if (mask == ~0u) { ALL_LANES("clang loop vectorize(assume_safety)", __VA_ARGS__) } else { SOME_LANES(__VA_ARGS__) } \
    }
#define COMMON(name, ...) static void name(PARAMETERS) { SLOTS \
        if (mask == ~0u) { ALL_LANES("clang loop vectorize(disable) unroll(disable)", __VA_ARGS__) } else { SOME_LANES(__VA_ARGS__) } \
    }
#define RARE(name, ...) static void name(PARAMETERS) { SLOTS SOME_LANES(__VA_ARGS__) }
