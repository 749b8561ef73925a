// Instructions that exchange values among lanes. Lanes of one member mask wait for each other at one place.
#pragma once

// A value of a lane that does not take part. In the opposite order of threads it is another one, of the other sign for every
// second lane, so that results which depend on it differ.
static u32 undefined_value(const Machine& m, u32 value, u32 lane) {
    return m.launch->reversed ? value ^ (lane & 1 ? 0x5A5A5A5A : 0xDA5A5A5A) : value;
}

static void shuffle(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 group) {
    V* registers = w.registers;
    u32 value[LANES];
    for (u32 lane = 0; lane < LANES; lane++) value[lane] = registers[i.slot[2] * LANES + lane].w;
    FOR_LANES(lane, group) {
        s32 offset = registers[i.slot[3] * LANES + lane].w & 31, clamp = registers[i.slot[4] * LANES + lane].w & 31;
        s32 segment = registers[i.slot[4] * LANES + lane].w >> 8 & 31, me = lane;
        s32 last = (me & segment) | (clamp & ~segment), first = me & segment, from;
        bool valid;
        switch (i.mode) {
        case 0: from = me - offset; valid = from >= last; break;
        case 1: from = me + offset; valid = from <= last; break;
        case 2: from = me ^ offset; valid = from <= last; break;
        default: from = first | (offset & ~segment); valid = from <= last;
        }
        if (!valid) from = me;
        bool present = group >> from & 1;
        if (!present) report(m, FINDING_ABSENT_LANE, position, b.number, w.first + lane, 0, sizeof(u32), from);
        registers[i.slot[0] * LANES + lane].u = present ? value[from] : undefined_value(m, value[from], from);
        if (i.slot[1] >= 0) registers[i.slot[1] * LANES + lane].u = valid;
    }
}

static void vote(Warp& w, const Instruction& i, u32 group) {
    V* registers = w.registers;
    u32 ballot = 0;
    FOR_LANES(lane, group) ballot |= (u32)(registers[i.slot[2] * LANES + lane].b != 0) << lane;
    u32 result = i.mode == 0 ? ballot == group : i.mode == 1 ? ballot != 0 : i.mode == 2 ? ballot == 0 || ballot == group : ballot;
    FOR_LANES(lane, group) registers[i.slot[0] * LANES + lane].u = result;
}

static void match(Warp& w, const Instruction& i, u32 group) {
    V* registers = w.registers;
    u64 kept = i.size == 8 ? ~0ull : 0xffffffffull;
    u32 equal[LANES];
    FOR_LANES(lane, group) {
        equal[lane] = 0;
        for (u32 k = 0; k < LANES; k++)
            if (group >> k & 1 && ((registers[i.slot[2] * LANES + lane].u ^ registers[i.slot[2] * LANES + k].u) & kept) == 0) equal[lane] |= 1u << k;
    }
    FOR_LANES(lane, group) {
        bool agreed = equal[lane] == group;
        registers[i.slot[0] * LANES + lane].u = i.mode == 0 ? equal[lane] : agreed ? group : 0;
        if (i.slot[1] >= 0) registers[i.slot[1] * LANES + lane].u = agreed;
    }
}

static void reduce(Warp& w, const Instruction& i, u32 group) {
    V* registers = w.registers;
    Instruction step = i;
    step.size = 4;
    V result, none;
    none.u = 0;
    bool begun = false;
    FOR_LANES(lane, group) {
        V value = registers[i.slot[2] * LANES + lane];
        result = begun ? combine(step, result, value, none) : value;
        begun = true;
    }
    FOR_LANES(lane, group) registers[i.slot[0] * LANES + lane].u = result.w;
}

static void elect(Warp& w, const Instruction& i, u32 group) {
    u32 leader = __builtin_ctz(group);
    FOR_LANES(lane, group) {
        w.registers[i.slot[0] * LANES + lane].u = leader;
        w.registers[i.slot[1] * LANES + lane].u = lane == leader;
    }
}

// Lanes that end with their next instruction count as ended.
static u32 leaving(const Machine& m, const Warp& w, u32 mask) {
    u32 found = 0;
    FOR_LANES(lane, mask) {
        const Instruction& next = m.launch->code[w.position[lane]];
        found |= (u32)(next.operation == OP_EXIT && next.predicate < 0) << lane;
    }
    return found;
}

// Lanes end: those that wait for them, although they have not taken part, wait for too many.
static void report_absent(Machine& m, Block& b, Warp& w, u32 ended) {
    FOR_LANES(lane, w.waiting) {
        const Instruction& i = m.launch->code[w.position[lane]];
        u32 absent = w.registers[i.slot[5] * LANES + lane].w & ended & w.awaited;
        if (absent) report(m, FINDING_ABSENT_LANE, w.position[lane], b.number, w.first + lane, 0, 0, __builtin_ctz(absent));
    }
}

// Execute an exchange for the groups whose lanes are all there, and return the lanes that have done it.
static u32 exchange(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 present) {
    u32 done = 0;
    for (u32 left = present; left;) {
        u32 members = w.registers[i.slot[5] * LANES + __builtin_ctz(left)].w, group = 0;
        FOR_LANES(lane, left) if (w.registers[i.slot[5] * LANES + lane].w == members) group |= 1u << lane;
        left &= ~group;
        u32 expected = members & w.live;
        bool complete = (expected & group) == expected;
        if (!complete && !(group & w.forced)) {
            w.awaited |= expected & ~group & ~leaving(m, w, expected & ~group);
            continue;
        }
        if (!complete) {
            u32 absent = expected & ~group;
            report(m, FINDING_ABSENT_LANE, position, b.number, w.first + __builtin_ctz(group), 0, 0, __builtin_ctz(absent));
        }
        if (group & ~members)
            report(m, FINDING_ABSENT_LANE, position, b.number, w.first + __builtin_ctz(group & ~members), 0, 0, LANES);
        switch (i.operation) {
        case OP_SHUFFLE: shuffle(m, b, w, i, position, group); break;
        case OP_VOTE: vote(w, i, group); break;
        case OP_MATCH: match(w, i, group); break;
        case OP_REDUCE: reduce(w, i, group); break;
        case OP_ELECT: elect(w, i, group); break;
        case OP_WARP_BARRIER: if (tracks_races(m)) order_lanes(w, group); break;
        default: matrix_instruction(m, b, w, i, position, group);
        }
        done |= group;
        w.forced &= ~group;
    }
    return done;
}
