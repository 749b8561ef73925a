// Races: two accesses to a place, one of which writes, that nothing orders. Order comes from barriers, __syncwarp, and fences
// that are followed by an atomic operation or a volatile store which another warp has read.
#pragma once

enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

static bool is_ordered(Machine& m, Block& b, Warp& w, u32 lane, const Access& earlier) {
    u32 thread = earlier.thread - 1, block = thread / m.threads, in_block = thread % m.threads;
    u32 warp = in_block / LANES;
    if (block == b.number) {
        if (warp == w.number) return earlier.tick < w.all_seen || earlier.tick < w.seen[lane][in_block % LANES];
        return earlier.tick < b.known[w.number][warp];
    }
    const u32* ticks = find_ticks(w.acquired, block);
    return ticks && earlier.tick < ticks[warp];
}

struct Accessor {
    Machine& m;
    Block& b;
    Warp& w;
    u32 lane, position, kind, finding;
    bool changes;  // the bytes of a store differ from those in memory
    bool strong;   // a volatile access to shared memory
    u64 address;
};

static const u32 STRONG = 1u << 31;  // in the position of an access

// Volatile accesses of different warps are flags and no races. Lanes of one warp use them in place of __syncwarp, which they
// are not.
static bool are_flags(const Accessor& a, const Access& earlier) {
    return a.strong && earlier.position & STRONG && (earlier.thread - 1) % a.m.threads / LANES != a.w.number;
}

static bool conflicts(Accessor& a, const Access& earlier, u32 me) {
    return earlier.thread && earlier.thread != me && !are_flags(a, earlier) && !is_ordered(a.m, a.b, a.w, a.lane, earlier);
}

static void report_race(Accessor& a, const Access& earlier, u32 size) {
    u32 other = earlier.thread - 1;
    report(a.m, a.finding, a.position, a.b.number, a.w.first + a.lane, a.address, size, a.kind, earlier.position & ~STRONG,
           other / a.m.threads, other % a.m.threads);
}

static void check_cell(Accessor& a, Cell& cell, u32 size) {
    u32 me = a.b.number * a.m.threads + a.w.first + a.lane + 1;
    u32 tick = a.w.tick, fence = a.w.fence_tick[a.lane];
    if (a.kind == ACCESS_ATOMIC && fence) tick = fence - 1;  // the fence before it makes it visible with what is before the fence
    Access now = {me, tick, a.position | (a.strong ? STRONG : 0)};
    bool silent = a.kind == ACCESS_WRITE && !a.changes;
    if (!silent && conflicts(a, cell.write, me)) report_race(a, cell.write, size);
    if (a.kind != ACCESS_ATOMIC && !silent)
        for (Access& atomic : cell.atomic) if (conflicts(a, atomic, me)) { report_race(a, atomic, size); break; }
    if (a.kind != ACCESS_READ && !silent)
        for (Access& read : cell.read) if (conflicts(a, read, me)) { report_race(a, read, size); break; }
    if (a.kind == ACCESS_WRITE) {
        u32 narrow = cell.narrow;
        if (silent && cell.write.thread && cell.write.thread != me) return;  // the value is the earlier one's
        cell = Cell();
        cell.narrow = narrow;
        cell.write = now;
    } else {
        Access* slots = a.kind == ACCESS_ATOMIC ? cell.atomic : cell.read;
        if (!slots[0].thread || slots[0].thread == me || is_ordered(a.m, a.b, a.w, a.lane, slots[0])) slots[0] = now;
        else slots[1] = now;
    }
}

// The launch is too large for checks of races: it goes on without them.
static void skip_races(Machine& m) {
    m.too_many_clocks = true;
    m.launch->checks &= ~(CHECK_SHARED_RACES | CHECK_GLOBAL_RACES);
}

static void note_access(Accessor& a, Shadow& shadow, u64 offset, u32 size) {
    for (u64 word = offset >> 2; word <= (offset + size - 1) >> 2; word++) {
        if (word >= shadow.count) return;
        Cell& cell = shadow.cells[word];
        u64 first = word * 4 < offset ? offset - word * 4 : 0, end = offset + size - word * 4 < 4 ? offset + size - word * 4 : 4;
        if (first == 0 && end == 4 && !cell.narrow) {
            check_cell(a, cell, size);
            continue;
        }
        if (!cell.narrow) {
            if (shadow.group_count + 1 >= shadow.group_capacity) {
                u32 capacity = shadow.group_capacity ? shadow.group_capacity * 2 : 64;
                Cell* groups = capacity < 1u << 29 ? (Cell*)realloc(shadow.groups, sizeof(Cell) * 4 * capacity) : nullptr;
                if (!groups) return skip_races(a.m);
                shadow.group_capacity = capacity;
                shadow.groups = groups;
            }
            u32 group = ++shadow.group_count;
            for (u32 k = 0; k < 4; k++) shadow.groups[group * 4 + k] = cell;
            cell.narrow = group;
        }
        for (u64 k = first; k < end; k++) check_cell(a, shadow.groups[cell.narrow * 4 + k], size);
    }
}

// Lanes have executed __syncwarp together.
static void order_lanes(Warp& w, u32 mask) {
    u32 tick = ++w.tick;
    if ((mask & w.live) == w.live) {
        w.all_seen = tick;
        return;
    }
    u32 joined[LANES] = {};
    FOR_LANES(member, mask) for (u32 k = 0; k < LANES; k++) if (w.seen[member][k] > joined[k]) joined[k] = w.seen[member][k];
    FOR_LANES(other, mask) joined[other] = tick;
    FOR_LANES(lane, mask) memcpy(w.seen[lane], joined, sizeof joined);
}

// A fence: what a lane stores later tells others of all earlier accesses.
static void note_fence(Warp& w, u32 mask, bool of_device) {
    u32 tick = ++w.tick;
    FOR_LANES(lane, mask) {
        w.fence_tick[lane] = tick;
        w.fence_of_device[lane] = of_device;
    }
}

static u64 sync_key(Block& b, const Place& place, u64 address) {
    return place.area == AREA_SHARED ? (u64)(b.number + 1) << 28 | place.offset | 1ull << 63 : address | 1ull << 62;
}

// The place through which the warps of one block synchronize by fences that reach no further.
static u64 key_in_block(u64 key, const Block& b) { return key ^ (u64)(b.number + 1) << 40 ^ 1ull << 61; }

// A store or atomic operation that others can see; it follows a fence.
static void publish(Machine& m, Block& b, Warp& w, u32 lane, u64 key, bool released, bool of_device) {
    if (released) {
        note_fence(w, 1u << lane, of_device);
    } else if (!w.fence_tick[lane]) {
        return;
    }
    bool device = w.fence_of_device[lane];
    if (m.sync.count >= MOST_SYNC_PLACES || m.clocks.bytes > MOST_CLOCK_BYTES) return skip_races(m);
    SyncPlace* place = find_sync(m.sync, device ? key : key_in_block(key, b), true);
    place->clock = own_clock(place->clock, m.clocks);
    u32 ticks[MOST_WARPS];
    memcpy(ticks, b.known[w.number], sizeof ticks);
    ticks[w.number] = w.fence_tick[lane];
    m.too_many_clocks |= !raise_ticks(place->clock, b.number, ticks);
    if (device) m.too_many_clocks |= !raise_clock(place->clock, w.acquired);
    place->version++;
}

static void acquire_from(Machine& m, Block& b, Warp& w, u64 key) {
    SyncPlace* place = find_sync(m.sync, key, false);
    if (!place || !place->clock || (w.last_key == key && w.last_version == place->version)) return;
    w.last_key = key;
    w.last_version = place->version;
    const u32* mine = find_ticks(place->clock, b.number);
    for (u32 k = 0; mine && k < m.warps; k++) {
        if (k != w.number && mine[k] > b.known[w.number][k]) b.known[w.number][k] = mine[k];
    }
    if (mine && mine[w.number] > w.all_seen) w.all_seen = mine[w.number];
    if (place->clock->count > (mine ? 1u : 0u)) {
        w.acquired = own_clock(w.acquired, m.clocks);
        m.too_many_clocks |= !raise_clock(w.acquired, place->clock);
    }
}

// A load or atomic operation that may read what another warp published.
static void acquire(Machine& m, Block& b, Warp& w, u64 key) {
    if (!m.sync.count) return;
    acquire_from(m, b, w, key);
    acquire_from(m, b, w, key_in_block(key, b));
}
