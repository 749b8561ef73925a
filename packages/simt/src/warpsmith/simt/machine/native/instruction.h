// An instruction, as `instruction_encoding.py` writes it, and the functions of operations.
#pragma once

struct Instruction {
    s32 operation, predicate;
    u8 negated, work, size, count;
    u8 space, kind, mode, flags;
    s32 slot[8];
    s64 immediate;
    s32 location, unused;
};

typedef void (*Operation)(V* registers, const Instruction& i, u32 mask, u32* carry, u32& divided_by_zero);
