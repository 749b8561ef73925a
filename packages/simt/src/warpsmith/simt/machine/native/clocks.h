// Clocks of other blocks: how far a warp has seen their work, through atomics and flags that follow a fence.
#pragma once

static const u32 MOST_CLOCKS = 8192, MOST_SYNC_PLACES = 1 << 20;
static const u64 MOST_CLOCK_BYTES = 256 << 20;

// The memory of all clocks of a launch; `warps` are those of a block.
struct ClockMemory {
    u64 bytes;
    u32 warps;
};

// For each block, in order, one number per warp: accesses with a smaller tick have been seen.
struct Clock {
    ClockMemory* memory;
    u32 references, count, capacity, warps;
    u32* blocks;
    u32* ticks;
};

static u64 clock_bytes(const Clock* clock) { return sizeof(Clock) + 4ull * clock->capacity * (1 + clock->warps); }

static Clock* new_clock(ClockMemory& memory) {
    Clock* clock = make<Clock>(1);
    clock->memory = &memory;
    clock->references = 1;
    clock->warps = memory.warps;
    memory.bytes += clock_bytes(clock);
    return clock;
}

static void release_clock(Clock* clock) {
    if (clock && --clock->references == 0) {
        clock->memory->bytes -= clock_bytes(clock);
        free(clock->blocks);
        free(clock->ticks);
        free(clock);
    }
}

static Clock* share_clock(Clock* clock) {
    if (clock) clock->references++;
    return clock;
}

static const u32* find_ticks(const Clock* clock, u32 block) {
    u32 low = 0, high = clock ? clock->count : 0;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (clock->blocks[middle] < block) low = middle + 1; else high = middle;
    }
    return clock && low < clock->count && clock->blocks[low] == block ? clock->ticks + (u64)low * clock->warps : nullptr;
}

static Clock* own_clock(Clock* clock, ClockMemory& memory) {
    if (!clock) return new_clock(memory);
    if (clock->references == 1) return clock;
    Clock* copy = new_clock(memory);
    u32 warps = clock->warps;
    copy->count = copy->capacity = clock->count;
    memory.bytes += clock_bytes(copy) - sizeof(Clock);
    copy->blocks = make<u32>(clock->count);
    copy->ticks = make<u32>((u64)clock->count * warps);
    memcpy(copy->blocks, clock->blocks, 4ull * clock->count);
    memcpy(copy->ticks, clock->ticks, 4ull * clock->count * warps);
    release_clock(clock);
    return copy;
}

// Include what was seen of one block; false if there are too many blocks, or too many clocks.
static bool raise_ticks(Clock* clock, u32 block, const u32* ticks) {
    u32 at = 0, high = clock->count;
    while (at < high) {
        u32 middle = (at + high) / 2;
        if (clock->blocks[middle] < block) at = middle + 1; else high = middle;
    }
    u32 warps = clock->warps;
    if (at == clock->count || clock->blocks[at] != block) {
        if (clock->count == MOST_CLOCKS || clock->memory->bytes > MOST_CLOCK_BYTES) return false;
        if (clock->count == clock->capacity) {
            clock->memory->bytes -= clock_bytes(clock);
            clock->capacity = clock->capacity ? clock->capacity * 2 : 4;
            clock->memory->bytes += clock_bytes(clock);
            clock->blocks = (u32*)realloc(clock->blocks, 4ull * clock->capacity);
            clock->ticks = (u32*)realloc(clock->ticks, 4ull * clock->capacity * warps);
        }
        for (u32 k = clock->count; k > at; k--) {
            clock->blocks[k] = clock->blocks[k - 1];
            memcpy(clock->ticks + (u64)k * warps, clock->ticks + (u64)(k - 1) * warps, 4ull * warps);
        }
        clock->count++;
        clock->blocks[at] = block;
        memset(clock->ticks + (u64)at * warps, 0, 4ull * warps);
    }
    u32* mine = clock->ticks + (u64)at * warps;
    for (u32 w = 0; w < warps; w++) if (ticks[w] > mine[w]) mine[w] = ticks[w];
    return true;
}

static bool raise_clock(Clock* clock, const Clock* other) {
    for (u32 k = 0; other && k < other->count; k++)
        if (!raise_ticks(clock, other->blocks[k], other->ticks + (u64)k * other->warps)) return false;
    return true;
}

// A place in memory through which warps synchronize.
struct SyncPlace {
    u64 key;
    Clock* clock;
    u32 version;
};

struct SyncTable {
    SyncPlace* places;
    u64 capacity, count;
};

static SyncPlace* find_sync(SyncTable& table, u64 key, bool add) {
    if (add && table.count * 2 >= table.capacity) {
        SyncTable larger = {make<SyncPlace>(table.capacity ? table.capacity * 2 : 64), table.capacity ? table.capacity * 2 : 64, table.count};
        for (u64 k = 0; k < table.capacity; k++)
            if (table.places[k].key) {
                u64 at = (table.places[k].key * 0x9E3779B97F4A7C15ull) >> 20 & (larger.capacity - 1);
                while (larger.places[at].key) at = (at + 1) & (larger.capacity - 1);
                larger.places[at] = table.places[k];
            }
        free(table.places);
        table = larger;
    }
    if (!table.capacity) return nullptr;
    u64 at = (key * 0x9E3779B97F4A7C15ull) >> 20 & (table.capacity - 1);
    while (table.places[at].key && table.places[at].key != key) at = (at + 1) & (table.capacity - 1);
    if (table.places[at].key) return &table.places[at];
    if (!add) return nullptr;
    table.count++;
    table.places[at].key = key;
    return &table.places[at];
}
