// mbarrier objects. Their 8 bytes contain, from the lowest bit: the expected and the pending count of arrivals (20 bits each), the
// pending bytes of transactions (21 bits, signed), the parity of the phase, and a mark that distinguishes objects from other memory.
#pragma once

static const u32 MOST_ARRIVALS = (1 << 20) - 1;
static const s64 MOST_TRANSACTIONS = (1 << 20) - 1;

struct PhaseBarrier {
    u32 expected, pending;
    s32 transactions;
    u32 parity;
};

static u64 encode_phase(const PhaseBarrier& p) {
    return p.expected | (u64)p.pending << 20 | ((u64)p.transactions & 0x1fffff) << 40 | (u64)p.parity << 61 | 1ull << 62;
}

static bool decode_phase(u64 bits, PhaseBarrier& p) {
    p.expected = bits & MOST_ARRIVALS;
    p.pending = bits >> 20 & MOST_ARRIVALS;
    p.transactions = (s32)((s64)(bits << 3) >> 43);
    p.parity = bits >> 61 & 1;
    return bits >> 62 == 1 && p.pending <= MOST_ARRIVALS;
}

static void complete_phase(PhaseBarrier& p) {
    if (p.pending || p.transactions) return;
    p.parity ^= 1;
    p.pending = p.expected;
}

// Do an action, and return false if the counts do not allow it.
static bool change_phase(const Instruction& i, PhaseBarrier& p, u32 value) {
    switch (i.mode) {
    case PHASE_ARRIVE_EXPECT: case PHASE_EXPECT: case PHASE_COMPLETE: {
        s64 transactions = p.transactions + (i.mode == PHASE_COMPLETE ? -(s64)value : (s64)value);
        if (transactions > MOST_TRANSACTIONS || transactions < -MOST_TRANSACTIONS) return false;
        p.transactions = (s32)transactions;
        if (i.mode == PHASE_EXPECT) return true;
        if (i.mode == PHASE_ARRIVE_EXPECT && p.pending-- == 0) return false;
        break;
    }
    case PHASE_COPIES: break;  // one more arrival is expected, and it comes at once
    case PHASE_DROP:
        if (value > p.pending || value > p.expected) return false;
        p.pending -= value;
        p.expected -= value;
        break;
    default:
        if (value > p.pending || value == 0) return false;
        p.pending -= value;
        if (i.flags & WITHOUT_COMPLETION && p.pending == 0) return false;
    }
    complete_phase(p);
    return true;
}

// A wait that fails sets `failed`; its thread tries again in a loop.
static bool wait_for_phase(Machine& m, Block& b, Warp& w, const Instruction& i, u32 lane, const Place& place, const PhaseBarrier& p,
                           bool& failed) {
    V state = w.registers[i.slot[1] * LANES + lane];
    u32 parity = i.mode == PHASE_WAIT_PARITY ? state.w & 1 : state.u >> 61 & 1;
    bool complete = p.parity != parity;
    if (!complete) failed = true;
    else if (tracks_races(m)) acquire(m, b, w, sync_key(b, place, 0));
    w.registers[i.slot[0] * LANES + lane].u = complete;
    return true;
}

static bool use_phase_barrier(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 lane, const Place& place,
                              bool& failed) {
    V* registers = w.registers;
    u32 value = i.slot[1] < 0 ? 1 : registers[i.slot[1] * LANES + lane].w;
    bool races = tracks_races(m), initializes = i.mode == PHASE_INIT || i.mode == PHASE_INVALIDATE;
    u64 bits = 0;
    PhaseBarrier p = {value, value, 0, 0};
    if (races) note_race(m, b, w, lane, position, initializes ? ACCESS_WRITE : ACCESS_ATOMIC, true, place, place.offset, 8);
    if (i.mode == PHASE_INIT && (value == 0 || value > MOST_ARRIVALS)) return stop(m, FINDING_INVALID, b, w, position, lane, place.offset, value, INVALID_PHASE_COUNT);
    if (!initializes || i.mode == PHASE_INVALIDATE) {
        if (m.launch->checks & CHECK_UNWRITTEN) check_written(m, b, w, lane, position, place, 8);
        memcpy(&bits, place.host, 8);
        if (!decode_phase(bits, p)) return stop(m, FINDING_INVALID, b, w, position, lane, place.offset | WINDOW_SHARED, 8, INVALID_NO_PHASE_BARRIER);
    }
    if (i.mode == PHASE_WAIT || i.mode == PHASE_WAIT_PARITY) return wait_for_phase(m, b, w, i, lane, place, p, failed);
    if (!initializes) {
        if (races && i.mode != PHASE_EXPECT) publish(m, b, w, lane, sync_key(b, place, 0), !(i.flags & VOLATILE), !(i.flags & BLOCK_SCOPE));
        if (!change_phase(i, p, value)) return stop(m, FINDING_INVALID, b, w, position, lane, place.offset | WINDOW_SHARED, value, INVALID_PHASE_COUNT);
        if (i.slot[0] >= 0) registers[i.slot[0] * LANES + lane].u = bits;
    }
    bits = i.mode == PHASE_INVALIDATE ? 0 : encode_phase(p);
    memcpy(place.host, &bits, 8);
    mark_written(m, b, w, lane, place, 8);
    return true;
}

static bool phase_barrier(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask, bool& failed) {
    V* registers = w.registers;
    if (i.mode == PHASE_PENDING) {
        FOR_LANES(lane, mask) registers[i.slot[0] * LANES + lane].u = registers[i.slot[1] * LANES + lane].u >> 20 & MOST_ARRIVALS;
        return true;
    }
    if (i.flags & AFTER_COPIES) finish_copies(m, b, w, mask, 0, true);
    u64 addresses[LANES];
    u32 order[LANES], count = order_of_lanes(m, mask, order);
    for (u32 k = 0; k < count; k++) {
        u32 lane = order[k];
        u64 address = address_of(i, registers[i.slot[4] * LANES + lane]);
        Place place;
        if (!reach(m, b, w, i, position, lane, address, 8, true, place)) return false;
        if (place.area != AREA_SHARED) return stop(m, FINDING_INVALID, b, w, position, lane, address, 8, INVALID_NO_PHASE_BARRIER);
        addresses[lane] = place.offset;
        if (!use_phase_barrier(m, b, w, i, position, lane, place, failed)) return false;
    }
    count_traffic(m, addresses, 1u << AREA_SHARED, mask, 8);
    return true;
}
