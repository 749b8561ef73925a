// The state of a launch: blocks, warps, and the records of accesses that races are found by.
#pragma once

static const u32 LANES = 32, BARRIERS = 16, MOST_WARPS = 32, MOST_CALLS = 1024, MOST_COPIES = 1 << 16;

// An access to memory; `thread` is its number in the grid plus one.
struct Access {
    u32 thread, tick, position;
};

// The last accesses to four bytes, or to one byte of a group if `narrow` is the number of a group.
struct Cell {
    Access write, atomic[2], read[2];
    u32 narrow;
};

struct Shadow {
    Cell* cells;
    u64 count;
    Cell* groups;
    u32 group_count, group_capacity;
};

struct CallRecord {
    s32 position, frame, function;
    u32 saved;
};

struct AsyncCopy {
    u32 lane, target, size, group, position;
    u8 bytes[16];
};

struct Warp {
    u32 position[LANES];
    u32 live, waiting, barred, forced, awaited;
    u32 number, first;  // in the block; the first thread
    bool started;
    V* registers;
    u8* local;
    u8* local_written;
    u32 carry[LANES];
    s32 frame[LANES], function[LANES], last_frame[LANES];
    CallRecord* calls[LANES];
    V* saved[LANES];
    u32 depth[LANES], saved_count[LANES], saved_capacity[LANES];
    u32 tick, all_seen;
    u32 seen[LANES][LANES];
    u32 fence_tick[LANES];
    bool fence_of_device[LANES];
    u32 barrier[LANES];
    u32 barrier_value[LANES];
    Clock* acquired;
    u64 last_key;
    u32 last_version;
    AsyncCopy* copies;
    u32 copy_count, copy_capacity, group[LANES];
    u32 favored, last_favored;
    u64 favored_until;
    u64 steps;
};

struct Barrier {
    u32 arrived, expected, position, other_position, threads_at_other;
    bool differs;
    u32 lanes[MOST_WARPS];     // who waits
    u32 arrivals[MOST_WARPS];  // who has arrived without waiting
    u32 released[MOST_WARPS];  // ticks of arrivals
    u32 value_count, value_true;
};

struct Block {
    u32 number, x, y, z;
    Warp* warps;
    u8* shared_memory;  // as allocated
    u8* shared;
    u8* shared_written;
    Shadow shadow;
    Barrier barriers[BARRIERS];
    u32 known[MOST_WARPS][MOST_WARPS];
    u32 exited;
    bool done;
};

struct Machine {
    Launch* launch;
    u64 steps;
    u32 warps, threads, blocks;
    u32 last_range;
    Shadow* shadows;  // of ranges
    u8** touched;     // a bit for each sector of a range
    SyncTable sync;
    bool too_many_clocks;
    ClockMemory clocks;
    V** files;  // unused register files
    u32 file_count, file_capacity;
    u8** stacks;  // unused local memories
    u32 stack_count, stack_capacity;
    u64 saved_bytes;
    u64 heap_used;
};
