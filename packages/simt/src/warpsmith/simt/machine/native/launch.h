// What Python and the machine exchange. `layout.py` describes the same structures; `simt_sizes` lets it check them.
#pragma once
#include "instruction.h"

struct CallTarget {
    s32 entry, first_slot, slots, frame, used;  // `frame` is `used` rounded up
};

struct Range {
    u64 low, high;  // generic addresses
    u8* host;       // where `low` is
    s32 argument;   // which argument of the launch, -1 for memory of the module
    u32 writable;
};

enum FindingKind {
    FINDING_OUT_OF_BOUNDS, FINDING_MISALIGNED, FINDING_SHARED_RACE, FINDING_GLOBAL_RACE, FINDING_UNWRITTEN_SHARED,
    FINDING_UNWRITTEN_LOCAL, FINDING_DIVERGENT_BARRIER, FINDING_ABSENT_LANE, FINDING_DIVIDED_BY_ZERO, FINDING_TRAP,
    FINDING_ASSERTION, FINDING_STEP_LIMIT, FINDING_DEADLOCK, FINDING_STACK_OVERFLOW, FINDING_INVALID
};

enum Check { CHECK_SHARED_RACES = 1, CHECK_GLOBAL_RACES = 2, CHECK_UNWRITTEN = 4, CHECK_BARRIERS = 8, CHECK_TRAFFIC = 16 };

struct Finding {
    u32 kind, position, other_position, detail;
    u32 block, thread, other_block, other_thread;
    u64 address, size, count;
};

struct Counts {
    u64 warp[WORK_CLASSES], thread[WORK_CLASSES];
    u64 global_requests, global_sectors, shared_requests, shared_passes, local_requests, atomic_requests, atomic_conflicts;
    u64 shared_conflicts, global_footprint, branches, divergent_branches, barriers, steps, longest_warp;
};

struct Launch {
    const Instruction* code;
    const Operation* operations;
    const CallTarget* targets;
    const s32* function_numbers;
    const s32* tables;
    const u32* constant_slots;
    const u64* constant_values;
    const s32* specials;
    const u8* parameters;
    Range* ranges;
    u8* heap;
    Finding* findings;
    char* printed;
    u64* executed;
    u64 heap_address, heap_size, printed_capacity, printed_size, limit, memory;
    u32 code_count, target_count, function_count, table_count, constant_count, range_count, heap_ranges, parameter_size;
    u32 slots, shared_size, local_size, checks, reversed, finding_capacity, finding_count, stopped;
    u32 grid[3], block[3];
    Counts counts;
};
