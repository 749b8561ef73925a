// An operation of the table as a function over the lanes of a warp.
#pragma once
#include "arithmetic.h"
#include "numbers.h"
#include "instruction.h"

#define D registers[i.slot[0] * 32 + l]
#define D2 registers[i.slot[1] * 32 + l]
#define A registers[i.slot[2] * 32 + l]
#define B registers[i.slot[3] * 32 + l]
#define C registers[i.slot[4] * 32 + l]
#define E registers[i.slot[5] * 32 + l]
#define CC carry[l]
#define DIVIDED_BY_ZERO (divided_by_zero |= 1u << l)

#define PARAMETERS V* registers, const Instruction& i, u32 mask, u32* carry, u32& divided_by_zero
#define SOME_LANES(...) for (; mask; mask &= mask - 1) { u32 l = __builtin_ctz(mask); __VA_ARGS__ }

// Common operations have a loop over all lanes, which clang vectorizes; rare ones compile in a tenth of the time.
#define COMMON(name, ...) static void name(PARAMETERS) { \
        if (mask == ~0u) { for (u32 l = 0; l < 32; l++) { __VA_ARGS__ } } else { SOME_LANES(__VA_ARGS__) } \
    }
#define RARE(name, ...) static void name(PARAMETERS) { SOME_LANES(__VA_ARGS__) }
