// Barriers of a block.
#pragma once

// Threads that count as arrived: the lanes that a last warp lacks arrive with it.
static u32 arrived_threads(Machine& m, Block& b, Barrier& barrier) {
    u32 total = 0;
    for (u32 k = 0; k < m.warps; k++) {
        u32 lanes = barrier.lanes[k] | barrier.arrivals[k];
        total += lanes && (lanes & b.warps[k].live) == b.warps[k].live ? LANES : lanes_in(lanes);
    }
    return total;
}

static bool all_have_arrived(Machine& m, Block& b, Barrier& barrier) {
    for (u32 k = 0; k < m.warps; k++) {
        Warp& w = b.warps[k];
        if (w.live & ~(barrier.lanes[k] | barrier.arrivals[k])) return false;
    }
    return true;
}

// Order the work of those who have arrived before that of those who waited.
static void order_warps(Machine& m, Block& b, Barrier& barrier) {
    u32 joined[MOST_WARPS] = {};
    Clock* clock = nullptr;
    for (u32 k = 0; k < m.warps; k++) {
        Warp& w = b.warps[k];
        if (!(barrier.lanes[k] | barrier.arrivals[k])) continue;
        u32 tick = barrier.lanes[k] ? ++w.tick : barrier.released[k];
        for (u32 other = 0; other < m.warps; other++) if (b.known[k][other] > joined[other]) joined[other] = b.known[k][other];
        if (tick > joined[k]) joined[k] = tick;
        if (w.acquired) {
            if (!clock) clock = share_clock(w.acquired);
            else if (clock != w.acquired) {
                clock = own_clock(clock, m.clocks);
                m.too_many_clocks |= !raise_clock(clock, w.acquired);
            }
        }
    }
    for (u32 k = 0; k < m.warps; k++) {
        Warp& w = b.warps[k];
        if (!barrier.lanes[k]) continue;
        memcpy(b.known[k], joined, sizeof joined);
        if ((barrier.lanes[k] & w.live) == w.live) w.all_seen = w.tick;
        else FOR_LANES(lane, barrier.lanes[k]) FOR_LANES_OF(other, barrier.lanes[k]) w.seen[lane][other] = w.tick;
        if (clock && clock != w.acquired) {
            release_clock(w.acquired);
            w.acquired = share_clock(clock);
        }
    }
    release_clock(clock);
}

static void complete_barrier(Machine& m, Block& b, u32 number) {
    Barrier& barrier = b.barriers[number];
    if (!barrier.arrived) return;
    bool complete = barrier.expected ? arrived_threads(m, b, barrier) >= barrier.expected : all_have_arrived(m, b, barrier);
    if (!complete) return;
    Launch* launch = m.launch;
    launch->counts.barriers++;
    u32 first_warp = 0;
    while (first_warp + 1 < m.warps && !barrier.lanes[first_warp]) first_warp++;
    u32 waiting = barrier.lanes[first_warp] ? first_warp * LANES + __builtin_ctz(barrier.lanes[first_warp]) : 0;
    if (launch->checks & CHECK_BARRIERS) {
        if (barrier.differs)
            report(m, FINDING_DIVERGENT_BARRIER, barrier.position, b.number, waiting, 0, 0, 0, barrier.other_position, b.number,
                   barrier.threads_at_other);
        if (!barrier.expected && b.exited)
            report(m, FINDING_DIVERGENT_BARRIER, barrier.position, b.number, waiting, 0, 0, b.exited);
    }
    if (tracks_races(m)) order_warps(m, b, barrier);
    for (u32 k = 0; k < m.warps; k++) {
        Warp& w = b.warps[k];
        FOR_LANES(lane, barrier.lanes[k]) {
            const Instruction& i = launch->code[w.position[lane]];
            if (i.slot[0] >= 0) {
                u32 value = i.mode == 2 ? barrier.value_true : i.mode == 3 ? barrier.value_true == barrier.value_count : barrier.value_true > 0;
                w.registers[i.slot[0] * LANES + lane].u = value;
            }
            w.position[lane]++;
        }
        w.barred &= ~barrier.lanes[k];
    }
    barrier = Barrier();
}

// Lanes arrive at a barrier; false if the instruction is not valid.
static bool arrive(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    FOR_LANES(lane, mask) {
        u32 number = registers[i.slot[2] * LANES + lane].w, threads = i.slot[3] < 0 ? 0 : registers[i.slot[3] * LANES + lane].w;
        if (number >= BARRIERS || threads > m.warps * LANES || (i.slot[3] >= 0 && (threads == 0 || threads % LANES)))
            return stop(m, FINDING_INVALID, b, w, position, lane, number, threads, INVALID_BARRIER);
        Barrier& barrier = b.barriers[number];
        if (!barrier.arrived++) {
            barrier.expected = threads;
            barrier.position = position;
        } else if (barrier.position != position && i.mode != 1 && !barrier.expected && !barrier.differs) {
            barrier.differs = true;
            barrier.other_position = position;
            barrier.threads_at_other = w.first + lane;
        }
        if (i.slot[4] >= 0) {
            barrier.value_count++;
            barrier.value_true += registers[i.slot[4] * LANES + lane].b != 0;
        }
        if (i.mode == 1) {
            barrier.arrivals[w.number] |= 1u << lane;
            barrier.released[w.number] = ++w.tick;
            w.position[lane] = position + 1;
        } else {
            barrier.lanes[w.number] |= 1u << lane;
            w.barred |= 1u << lane;
            w.position[lane] = position;
        }
    }
    for (u32 number = 0; number < BARRIERS; number++) complete_barrier(m, b, number);
    return true;
}
