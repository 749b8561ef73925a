// Loads, stores, atomic operations and asynchronous copies of the lanes of a warp.
#pragma once

static bool stop(Machine& m, u32 kind, Block& b, Warp& w, u32 position, u32 lane, u64 address = 0, u64 size = 0, u32 detail = 0) {
    report_last(m, kind, position, b.number, w.first + lane, address, size, detail);
    return false;
}

static inline u64 address_of(const Instruction& i, const V& base) {
    u64 address = base.u + (u64)i.immediate;
    return i.space == SPACE_GENERIC ? address : (u32)(base.w + (u32)i.immediate);
}

static inline bool reach(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 lane, u64 address, u64 size,
                         bool writes, Place& place) {
    u64 generic = address | (i.space ? (u64)i.space << 56 : 0);  // the windows have the numbers of the spaces
    if (!find_place(m, b, w, lane, i.space, address, size, writes, place))
        return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, generic, size, writes);
    if (place.area == AREA_GLOBAL ? address % size : place.offset % size)
        return stop(m, FINDING_MISALIGNED, b, w, position, lane, generic, size, writes);
    return true;
}

static void note_race(Machine& m, Block& b, Warp& w, u32 lane, u32 position, u32 kind, bool changes, const Place& place, u64 address,
                      u64 size, bool strong = false) {
    u32 checks = m.launch->checks;
    if (place.area == AREA_SHARED && checks & CHECK_SHARED_RACES) {
        Accessor accessor = {m, b, w, lane, position, kind, FINDING_SHARED_RACE, changes, strong, place.offset | WINDOW_SHARED};
        note_access(accessor, b.shadow, place.offset, size);
    } else if (place.area == AREA_GLOBAL && checks & CHECK_GLOBAL_RACES && !m.too_many_clocks) {
        const Range& range = m.launch->ranges[place.range];
        if (!range.writable) return;
        Accessor accessor = {m, b, w, lane, position, kind, FINDING_GLOBAL_RACE, changes, false, address};
        Shadow& shadow = m.shadows[place.range];
        if (!shadow.cells) {
            shadow.count = (range.high - range.low + 3) / 4;
            shadow.cells = make<Cell>(shadow.count);
            if (!shadow.cells) return skip_races(m);
        }
        note_access(accessor, shadow, place.offset, size);
    }
}

static inline bool tracks_races(Machine& m) { return m.launch->checks & (CHECK_SHARED_RACES | CHECK_GLOBAL_RACES); }

static void mark_written(Machine& m, Block& b, Warp& w, u32 lane, const Place& place, u64 size) {
    if (!(m.launch->checks & CHECK_UNWRITTEN)) return;
    if (place.area == AREA_SHARED) memset(b.shared_written + place.offset, 1, size);
    else if (place.area == AREA_LOCAL) memset(w.local_written + (u64)lane * m.launch->local_size + place.offset, 1, size);
}

static void check_written(Machine& m, Block& b, Warp& w, u32 lane, u32 position, const Place& place, u64 size) {
    const u8* written = place.area == AREA_SHARED ? b.shared_written + place.offset
                      : place.area == AREA_LOCAL ? w.local_written + (u64)lane * m.launch->local_size + place.offset : nullptr;
    for (u64 k = 0; written && k < size; k++) {
        if (!written[k]) {
            bool shared = place.area == AREA_SHARED;
            report(m, shared ? FINDING_UNWRITTEN_SHARED : FINDING_UNWRITTEN_LOCAL, position, b.number, w.first + lane,
                   place.offset | (shared ? WINDOW_SHARED : WINDOW_LOCAL), size);
            return;
        }
    }
}

// Count the sectors that a launch accesses for the first time, which no cache contains.
static void count_footprint(Machine& m, const u64* address, u32 mask, u64 size) {
    FOR_LANES(lane, mask) {
        Place place;
        if (!find_range(m, address[lane], size, place)) continue;
        const Range& range = m.launch->ranges[place.range];
        u8*& touched = m.touched[place.range];
        if (!touched && !(touched = make<u8>((range.high - range.low) / 256 + 2))) continue;
        for (u64 sector = address[lane] >> 5; sector <= (address[lane] + size - 1) >> 5; sector++) {
            u64 bit = sector - (range.low >> 5);
            m.launch->counts.global_footprint += ~touched[bit >> 3] >> (bit & 7) & 1;
            touched[bit >> 3] |= 1 << (bit & 7);
        }
    }
}

static void count_traffic(Machine& m, const u64* address, u32 areas, u32 mask, u64 size) {
    Counts& counts = m.launch->counts;
    bool traffic = m.launch->checks & CHECK_TRAFFIC;
    if (areas & 1 << AREA_SHARED) {
        counts.shared_requests++;
        if (traffic) counts.shared_passes += bank_passes(address, mask, size);
    } else if (areas & 1 << AREA_LOCAL) {
        counts.local_requests++;
    } else if (areas & 1 << AREA_GLOBAL) {
        counts.global_requests++;
        if (traffic) {
            counts.global_sectors += sectors(address, mask, size);
            count_footprint(m, address, mask, size);
        }
    }
}

static bool load(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    u64 total = (u64)i.size * i.count, read = total - (u64)(i.mode >> 1) * i.size, addresses[LANES];
    u32 areas = 0;
    bool races = tracks_races(m), unwritten = m.launch->checks & CHECK_UNWRITTEN && !(i.mode & 1);
    FOR_LANES(lane, mask) {
        u64 address = address_of(i, registers[i.slot[4] * LANES + lane]);
        Place place;
        if (!reach(m, b, w, i, position, lane, address, total, false, place)) return false;
        areas |= 1u << place.area;
        addresses[lane] = place.area == AREA_GLOBAL ? address : place.offset;
        bool strong = i.flags & (VOLATILE | ACQUIRE) && place.area == AREA_GLOBAL;
        if (races && place.area != AREA_LOCAL) {
            if (i.flags & (VOLATILE | ACQUIRE) && (place.area == AREA_GLOBAL || place.area == AREA_SHARED))
                acquire(m, b, w, sync_key(b, place, address));
            note_race(m, b, w, lane, position, strong ? ACCESS_ATOMIC : ACCESS_READ, true, place, address, read,
                      i.flags & (VOLATILE | ACQUIRE));
        }
        if (unwritten) check_written(m, b, w, lane, position, place, read);
        for (u32 k = 0; k < i.count; k++) registers[i.slot[k] * LANES + lane].u = load_bytes(place.host + k * i.size, i.size, i.kind == KIND_SIGNED);
    }
    if (!(i.mode & 1)) count_traffic(m, addresses, areas, mask, total);
    return true;
}

static bool store(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    u64 total = (u64)i.size * i.count, addresses[LANES];
    u32 areas = 0;
    bool races = tracks_races(m);
    FOR_LANES(lane, mask) {
        u64 address = address_of(i, registers[i.slot[4] * LANES + lane]);
        Place place;
        if (!reach(m, b, w, i, position, lane, address, total, true, place)) return false;
        areas |= 1u << place.area;
        addresses[lane] = place.area == AREA_GLOBAL ? address : place.offset;
        u8 bytes[32];
        for (u32 k = 0; k < i.count; k++) memcpy(bytes + k * i.size, &registers[i.slot[k] * LANES + lane], i.size);
        if (races && place.area != AREA_LOCAL) {
            bool strong = i.flags & (VOLATILE | RELEASE) && place.area == AREA_GLOBAL;
            bool changes = memcmp(place.host, bytes, total) != 0;
            if (i.flags & (VOLATILE | RELEASE))
                publish(m, b, w, lane, sync_key(b, place, address), i.flags & RELEASE, !(i.flags & BLOCK_SCOPE));
            note_race(m, b, w, lane, position, strong ? ACCESS_ATOMIC : ACCESS_WRITE, changes, place, address, total,
                      i.flags & (VOLATILE | RELEASE));
        }
        mark_written(m, b, w, lane, place, total);
        memcpy(place.host, bytes, total);
    }
    if (!(i.mode & 1)) count_traffic(m, addresses, areas, mask, total);
    return true;
}

static u16 add_halves(u16 a, u16 b, bool brain) {
    return brain ? to_bfloat((double)from_bfloat(a) + from_bfloat(b)) : to_half((double)from_half(a) + from_half(b));
}

static V combine(const Instruction& i, V old, V value, V other) {
    V result = old;
    u64 kept = i.size == 8 ? ~0ull : (1ull << 8 * i.size) - 1;
    bool is_signed = i.kind == KIND_SIGNED;
    switch (i.mode) {
    case ATOMIC_EXCH: result = value; break;
    case ATOMIC_ADD:
        switch (i.kind) {
        case KIND_F32: result.f = old.f + value.f; break;
        case KIND_F64: result.d = old.d + value.d; break;
        case KIND_F16: case KIND_BF16: result.h = add_halves(old.h, value.h, i.kind == KIND_BF16); break;
        case KIND_F16X2: case KIND_BF16X2: {
            bool brain = i.kind == KIND_BF16X2;
            result.w = add_halves((u16)old.w, (u16)value.w, brain) | (u32)add_halves(old.w >> 16, value.w >> 16, brain) << 16;
            break;
        }
        default: result.u = old.u + value.u;
        }
        break;
    case ATOMIC_MIN: case ATOMIC_MAX: {
        bool less = is_signed ? (i.size == 4 ? value.i < old.i : value.s < old.s) : (i.size == 4 ? value.w < old.w : value.u < old.u);
        bool same = ((value.u ^ old.u) & kept) == 0;
        if (!same && less == (i.mode == ATOMIC_MIN)) result = value;
        break;
    }
    case ATOMIC_AND: result.u = old.u & value.u; break;
    case ATOMIC_OR: result.u = old.u | value.u; break;
    case ATOMIC_XOR: result.u = old.u ^ value.u; break;
    case ATOMIC_CAS: if (((old.u ^ value.u) & kept) == 0) result = other; break;
    case ATOMIC_INC: result.w = old.w >= value.w ? 0 : old.w + 1; break;
    case ATOMIC_DEC: result.w = old.w == 0 || old.w > value.w ? value.w : old.w - 1; break;
    }
    return result;
}

// The lanes in the order in which they access one place.
static u32 order_of_lanes(const Machine& m, u32 mask, u32* order) {
    u32 count = lanes_in(mask), k = 0;
    FOR_LANES(lane, mask) {
        order[m.launch->reversed ? count - 1 - k : k] = lane;
        k++;
    }
    return count;
}

static bool reach_atomic(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 lane, u64 size, Place& place,
                         u64* addresses, u32& areas) {
    u64 address = address_of(i, w.registers[i.slot[4] * LANES + lane]);
    if (!reach(m, b, w, i, position, lane, address, size, true, place)) return false;
    areas |= 1u << place.area;
    addresses[lane] = place.area == AREA_GLOBAL ? address : place.offset;
    if (tracks_races(m)) {
        note_race(m, b, w, lane, position, ACCESS_ATOMIC, true, place, address, size);
        u64 key = sync_key(b, place, address);
        acquire(m, b, w, key);
        publish(m, b, w, lane, key, i.flags & RELEASE, !(i.flags & BLOCK_SCOPE));
    }
    if (m.launch->checks & CHECK_UNWRITTEN) check_written(m, b, w, lane, position, place, size);
    mark_written(m, b, w, lane, place, size);
    return true;
}

static void count_atomics(Machine& m, const u64* addresses, u32 areas, u32 mask, u64 size) {
    Counts& counts = m.launch->counts;
    u64& conflicts = areas & 1 << AREA_SHARED ? counts.shared_conflicts : counts.atomic_conflicts;
    counts.atomic_requests++;
    FOR_LANES(lane, mask) {
        for (u32 k = 0; k < lane; k++) if (mask >> k & 1 && addresses[k] == addresses[lane]) { conflicts++; break; }
    }
    count_traffic(m, addresses, areas, mask, size);
}

static bool atomic(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    u64 addresses[LANES];
    u32 areas = 0, order[LANES], count = order_of_lanes(m, mask, order);
    for (u32 k = 0; k < count; k++) {
        u32 lane = order[k];
        Place place;
        if (!reach_atomic(m, b, w, i, position, lane, i.size, place, addresses, areas)) return false;
        V old, none;
        old.u = none.u = 0;
        memcpy(&old, place.host, i.size);
        V result = combine(i, old, registers[i.slot[1] * LANES + lane], i.slot[2] < 0 ? none : registers[i.slot[2] * LANES + lane]);
        memcpy(place.host, &result, i.size);
        if (i.slot[0] >= 0) registers[i.slot[0] * LANES + lane] = old;
    }
    count_atomics(m, addresses, areas, mask, i.size);
    return true;
}

// An atomic operation on each element of a vector, or on 16 bytes. The table has the slots of results, values, and other values.
static bool vector_atomic(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    const s32* results = m.launch->tables + i.slot[6];
    const s32 *values = results + i.count, *others = values + i.count;
    u64 addresses[LANES], total = i.size * i.count;
    u32 areas = 0, order[LANES], count = order_of_lanes(m, mask, order);
    for (u32 k = 0; k < count; k++) {
        u32 lane = order[k];
        Place place;
        if (!reach_atomic(m, b, w, i, position, lane, total, place, addresses, areas)) return false;
        V old[8], changed[8];
        bool equal = true;
        for (u32 element = 0; element < i.count; element++) {
            old[element].u = load_bytes(place.host + element * i.size, i.size, false);
            V value = registers[values[element] * LANES + lane];
            if (i.mode == ATOMIC_CAS) {
                equal &= old[element].u == value.u;
                changed[element] = registers[others[element] * LANES + lane];
            } else {
                changed[element] = combine(i, old[element], value, value);
            }
        }
        for (u32 element = 0; element < i.count; element++) {
            if (equal) memcpy(place.host + element * i.size, &changed[element], i.size);
            if (results[element] >= 0) registers[results[element] * LANES + lane] = old[element];
        }
    }
    count_atomics(m, addresses, areas, mask, total);
    return true;
}

static bool async_copy(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    u64 addresses[LANES];
    FOR_LANES(lane, mask) {
        u64 address = registers[i.slot[0] * LANES + lane].u;
        u32 copied = i.slot[1] < 0 ? i.size : registers[i.slot[1] * LANES + lane].w;
        if (copied > i.size) return stop(m, FINDING_INVALID, b, w, position, lane, address, copied, INVALID_COPY_SIZE);
        Place source, target;
        Instruction shared = i, global = i;
        shared.space = SPACE_SHARED;
        global.space = SPACE_GENERIC;
        u64 offset = address_of(shared, registers[i.slot[4] * LANES + lane]);
        if (!reach(m, b, w, shared, position, lane, offset, i.size, true, target)) return false;
        AsyncCopy copy = {};
        copy.lane = lane;
        copy.target = (u32)offset;
        copy.size = i.size;
        copy.group = w.group[lane];
        copy.position = position;
        if (copied) {
            if (!find_place(m, b, w, lane, SPACE_GENERIC, address, copied, false, source))
                return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, address, copied, 0);
            if (address % i.size) return stop(m, FINDING_MISALIGNED, b, w, position, lane, address, i.size, 0);
            if (tracks_races(m)) note_race(m, b, w, lane, position, ACCESS_READ, true, source, address, copied);
            memcpy(copy.bytes, source.host, copied);
        }
        addresses[lane] = address;
        if (w.copy_count == MOST_COPIES) return stop(m, FINDING_INVALID, b, w, position, lane, address, 0, INVALID_COPIES);
        if (w.copy_count == w.copy_capacity) {
            w.copy_capacity = w.copy_capacity ? w.copy_capacity * 2 : 64;
            w.copies = (AsyncCopy*)realloc(w.copies, sizeof(AsyncCopy) * w.copy_capacity);
        }
        w.copies[w.copy_count++] = copy;
    }
    count_traffic(m, addresses, 1 << AREA_GLOBAL, mask, i.size);
    return true;
}

// Make the copies of lanes whose group is older than the last `kept` groups.
static void finish_copies(Machine& m, Block& b, Warp& w, u32 mask, u32 kept, bool all) {
    u32 left = 0;
    for (u32 k = 0; k < w.copy_count; k++) {
        AsyncCopy& copy = w.copies[k];
        if (!(mask >> copy.lane & 1) || (!all && (u64)copy.group + kept >= w.group[copy.lane])) {
            w.copies[left++] = copy;
            continue;
        }
        Place place = {b.shared + copy.target, copy.target, AREA_SHARED, 0};
        if (tracks_races(m)) note_race(m, b, w, copy.lane, copy.position, ACCESS_WRITE, true, place, copy.target, copy.size);
        mark_written(m, b, w, copy.lane, place, copy.size);
        memcpy(place.host, copy.bytes, copy.size);
    }
    w.copy_count = left;
}
