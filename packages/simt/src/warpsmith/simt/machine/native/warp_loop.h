// The loop of a warp: the lanes with the smallest position run until they diverge, wait, leave, or reach other lanes.
#pragma once

enum WarpResult { WARP_BLOCKED, WARP_YIELDED, WARP_FINISHED, WARP_STOPPED };

static const u32 SLICE = 1000;    // instructions before lanes at a greater position get their turn
static const u64 BUDGET = 10000;  // instructions before another warp or block gets its turn

static void move_lanes(Warp& w, u32 mask, u32 position) {
    FOR_LANES(lane, mask) w.position[lane] = position;
}

static u32 lanes_at(const Warp& w, u32 mask, u32 position) {
    u32 found = 0;
    FOR_LANES(lane, mask) found |= (u32)(w.position[lane] == position) << lane;
    return found;
}

// The position whose lanes run next: the smallest one, or that of a lane whose turn it is.
static u32 choose_position(Machine& m, Warp& w, u32 ready) {
    if (m.steps < w.favored_until && ready >> w.favored & 1) return w.position[w.favored];
    u32 smallest = ~0u;
    FOR_LANES(lane, ready) if (w.position[lane] < smallest) smallest = w.position[lane];
    return smallest;
}

// Lanes at the smallest position may wait for others: let the lanes at the next greater position run for a while.
static void favor_others(Machine& m, Warp& w, u32 ready) {
    u32 smallest = ~0u, next = ~0u, favored = 0;
    for (u32 round = 0; round < 2; round++)
        FOR_LANES(lane, ready) {
            u32 position = w.position[lane];
            if (round == 0 && position < smallest) smallest = position;
            bool later = position > w.last_favored || w.last_favored == ~0u;
            if (round == 1 && position > smallest && later && position < next) { next = position; favored = lane; }
        }
    w.last_favored = next;
    if (next == ~0u) return;
    w.favored = favored;
    w.favored_until = m.steps + SLICE;
}

static bool allocate(Machine& m, Warp& w, const Instruction& i, u32 mask) {
    Launch* launch = m.launch;
    FOR_LANES(lane, mask) {
        u64 size = w.registers[i.slot[2] * LANES + lane].u, start = (m.heap_used + 15) / 16 * 16;
        u64 address = 0;
        if (size && size <= launch->heap_size && start + size + 16 <= launch->heap_size && launch->range_count < launch->heap_ranges) {
            address = launch->heap_address + start;
            Range range = {address, address + size, launch->heap + start, -2, 1};
            launch->ranges[launch->range_count++] = range;  // behind all others: the heap has the greatest addresses
            m.heap_used = start + size + 16;  // addresses between two allocations are outside
        }
        w.registers[i.slot[0] * LANES + lane].u = address;
    }
    return true;
}

// Memory that is released is outside; false if the address is that of no allocation.
static bool release(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    FOR_LANES(lane, mask) {
        u64 address = w.registers[i.slot[2] * LANES + lane].u;
        Place place;
        if (!address) continue;
        bool found = find_range(m, address, 1, place) && place.offset == 0 && m.launch->ranges[place.range].argument == -2;
        if (!found) return stop(m, FINDING_INVALID, b, w, position, lane, address, 0, INVALID_FREE);
        Range& range = m.launch->ranges[place.range];
        range.low = range.high;  // empty
        m.last_range = ~0u;
    }
    return true;
}

#define D registers[i.slot[0] * LANES + l]
#define A registers[i.slot[2] * LANES + l]
#define C registers[i.slot[4] * LANES + l]
#define EACH_LANE(...) if (mask == ~0u) { for (u32 l = 0; l < LANES; l++) { __VA_ARGS__ } } \
    else { for (u32 rest_ = mask; rest_; rest_ &= rest_ - 1) { u32 l = __builtin_ctz(rest_); __VA_ARGS__ } }
#define FAIL_UNLESS(condition) if (!(condition)) { move_lanes(w, active, position); return WARP_STOPPED; }

static WarpResult run_warp(Machine& m, Block& b, Warp& w) {
    Launch* launch = m.launch;
    V* registers = w.registers;
    const Instruction* code = launch->code;
    Counts& counts = launch->counts;
    u64 start = m.steps, turn = m.steps;
    for (;;) {
        u32 ready = w.live & ~w.barred & ~w.waiting;
        if (!w.live) return WARP_FINISHED;
        if (!ready) return WARP_BLOCKED;
        if (m.steps - start > BUDGET) return WARP_YIELDED;
        u32 position = choose_position(m, w, ready), active = lanes_at(w, ready, position), other = ~0u;
        FOR_LANES(lane, ready & ~active) if (w.position[lane] > position && w.position[lane] < other) other = w.position[lane];
        bool alone = active == ready;
        if (alone) turn = m.steps;
        for (;;) {  // one instruction of the active lanes
            const Instruction& i = code[position];
            u32 mask = active, divided_by_zero = 0;
            if (i.predicate >= 0) {
                const V* predicate = registers + i.predicate * LANES;
                u32 true_lanes = 0;
                for (u32 lane = 0; lane < LANES; lane++) true_lanes |= (u32)(predicate[lane].b != 0) << lane;
                mask &= i.negated ? ~true_lanes : true_lanes;
            }
            if (++m.steps > launch->limit) {
                move_lanes(w, active, position);
                stop(m, FINDING_STEP_LIMIT, b, w, position, __builtin_ctz(active));
                return WARP_STOPPED;
            }
            counts.warp[i.work]++;
            counts.thread[i.work] += lanes_in(mask);
            if (launch->executed) launch->executed[position]++;
            if (!mask && i.operation != OP_BRANCH) goto next;
            switch (i.operation) {
            case OP_NOTHING: break;
            case OP_LOAD: FAIL_UNLESS(load(m, b, w, i, position, mask)); break;
            case OP_STORE: FAIL_UNLESS(store(m, b, w, i, position, mask)); break;
            case OP_ATOMIC: FAIL_UNLESS(atomic(m, b, w, i, position, mask)); break;
            case OP_VECTOR_ATOMIC: FAIL_UNLESS(vector_atomic(m, b, w, i, position, mask)); break;
            case OP_TEXTURE: FAIL_UNLESS(texture(m, b, w, i, position, mask)); break;
            case OP_TEXTURE_QUERY: FAIL_UNLESS(query_texture(m, b, w, i, position, mask)); break;
            case OP_ASYNC_COPY: FAIL_UNLESS(async_copy(m, b, w, i, position, mask)); break;
            case OP_ASYNC_COMMIT: FOR_LANES(lane, mask) w.group[lane]++; break;
            case OP_ASYNC_WAIT: finish_copies(m, b, w, mask, (u32)i.immediate, i.mode); break;
            case OP_BRANCH: {
                u32 target = (u32)i.immediate;
                counts.branches++;
                if (!mask) break;
                if (mask == active) {
                    if (target > position && target < other && (alone || m.steps - turn < SLICE)) {
                        position = target;
                        continue;
                    }
                    move_lanes(w, active, target);
                    if (target <= position && alone && m.steps - start < BUDGET) {
                        position = target;
                        continue;
                    }
                    goto choose;
                }
                counts.divergent_branches++;
                move_lanes(w, mask, target);
                move_lanes(w, active & ~mask, position + 1);
                goto choose;
            }
            case OP_BRANCH_TABLE: {
                u32 first = (u32)((u64)i.immediate >> 32), count = (u32)i.immediate;
                move_lanes(w, active & ~mask, position + 1);
                FOR_LANES(lane, mask) {
                    u32 index = registers[i.slot[2] * LANES + lane].w;
                    FAIL_UNLESS(index < count || stop(m, FINDING_INVALID, b, w, position, lane, index, count, INVALID_BRANCH));
                    w.position[lane] = launch->tables[first + index];
                }
                counts.branches++;
                goto choose;
            }
            case OP_EXIT: {
                move_lanes(w, active & ~mask, position + 1);
                finish_copies(m, b, w, mask, 0, true);
                report_absent(m, b, w, mask);
                w.live &= ~mask;
                b.exited += lanes_in(mask);
                for (u32 number = 0; number < BARRIERS; number++) complete_barrier(m, b, number);
                w.waiting = 0;  // lanes that waited for those that have left look again
                goto choose;
            }
            case OP_CALL: case OP_CALL_INDIRECT:
                move_lanes(w, active & ~mask, position + 1);
                FAIL_UNLESS(call(m, b, w, i, position, mask));
                goto choose;
            case OP_RETURN_CALL:
                move_lanes(w, active & ~mask, position + 1);
                return_call(w, launch, mask);
                goto choose;
            case OP_COPY_RESULTS: {
                u32 table = (u32)((u64)i.immediate >> 32), results = i.immediate & 0xffff;
                FOR_LANES(lane, mask)
                    FAIL_UNLESS(copy_arguments(m, w, lane, launch->tables + table, results, w.frame[lane], w.last_frame[lane], true)
                                || stop(m, FINDING_INVALID, b, w, position, lane, 0, 0, INVALID_CALL));
                break;
            }
            case OP_BARRIER:
                move_lanes(w, active & ~mask, position + 1);
                FAIL_UNLESS(arrive(m, b, w, i, position, mask));
                goto choose;
            case OP_SHUFFLE: case OP_VOTE: case OP_MATCH: case OP_REDUCE: case OP_ELECT: case OP_WARP_BARRIER:
            case OP_MMA: case OP_FRAGMENT_LOAD: case OP_FRAGMENT_STORE: case OP_MATRIX_LOAD: case OP_MATRIX_STORE: case OP_MATRIX_MOVE: {
                move_lanes(w, active & ~mask, position + 1);
                move_lanes(w, mask, position);
                u32 present = mask | lanes_at(w, w.waiting, position);
                u32 done = exchange(m, b, w, i, position, present);
                if (launch->stopped) return WARP_STOPPED;
                w.waiting = (w.waiting | present) & ~done;
                w.awaited &= ~done;
                if (done == present && done == active) break;
                move_lanes(w, done, position + 1);
                goto choose;
            }
            case OP_MBARRIER: {
                bool failed = false;
                FAIL_UNLESS(phase_barrier(m, b, w, i, position, mask, failed));
                if (!failed) break;
                move_lanes(w, active, position + 1);  // others get their turn before the next try
                if (alone) return WARP_YIELDED;
                turn = m.steps;
                favor_others(m, w, ready);
                goto choose;
            }
            case OP_ACTIVE_MASK: EACH_LANE(D.u = mask;) break;
            case OP_FENCE: if (tracks_races(m)) note_fence(w, mask, i.mode == 1); break;
            case OP_TRAP: stop(m, FINDING_TRAP, b, w, position, __builtin_ctz(mask)); FAIL_UNLESS(false);
            case OP_ASSERT_FAIL: {
                u32 lane = __builtin_ctz(mask);
                u64 text = registers[i.slot[2] * LANES + lane].u;
                stop(m, FINDING_ASSERTION, b, w, position, lane, text, 0, registers[i.slot[4] * LANES + lane].w);
                FAIL_UNLESS(false);
            }
            case OP_PRINT: FOR_LANES(lane, mask) FAIL_UNLESS(print(m, b, w, i, position, lane)); break;
            case OP_ALLOCATE: allocate(m, w, i, mask); break;
            case OP_RELEASE: FAIL_UNLESS(release(m, b, w, i, position, mask)); break;
            case OP_CLOCK: EACH_LANE(D.u = i.mode == 2 || i.mode == 5 ? m.steps >> 32 : m.steps;) break;
            case OP_PACK: {
                u64 kept = (1ull << 8 * i.size) - 1;
                EACH_LANE(u64 value = 0; for (u32 k = 0; k < i.count; k++) value |= (registers[i.slot[k + 1] * LANES + l].u & kept) << 8 * i.size * k; D.u = value;)
                break;
            }
            case OP_UNPACK: {
                u64 kept = (1ull << 8 * i.size) - 1;
                EACH_LANE(u64 value = C.u; for (u32 k = 0; k < i.count; k++) if (i.slot[k] >= 0) registers[i.slot[k] * LANES + l].u = value >> 8 * i.size * k & kept;)
                break;
            }
            case OP_FRAME_ADDRESS: EACH_LANE(D.u = (u64)(w.frame[l] + i.immediate);) break;
            case OP_SPACE_TEST: {
                EACH_LANE(u64 window = A.u >> 56; u64 wanted = i.mode == SPACE_SHARED ? 1 : i.mode == SPACE_LOCAL ? 2 : i.mode == SPACE_PARAM ? 3 : 0; D.u = window == wanted;)
                break;
            }
            default:
                if (i.operation >= OP_FIRST_OPERATION) {
                    launch->operations[i.operation - OP_FIRST_OPERATION](registers, i, mask, w.carry, divided_by_zero);
                    break;
                }
                stop(m, FINDING_INVALID, b, w, position, __builtin_ctz(mask), i.operation, 0, INVALID_FORM);
                FAIL_UNLESS(false);
            }
            if (divided_by_zero) report(m, FINDING_DIVIDED_BY_ZERO, position, b.number, w.first + __builtin_ctz(divided_by_zero));
        next:
            position++;
            if (position >= other) {
                move_lanes(w, active, position);
                break;
            }
        }
    choose:
        if (!alone && m.steps - turn >= SLICE) {
            turn = m.steps;
            favor_others(m, w, w.live & ~w.barred & ~w.waiting);
        }
    }
}

#undef D
#undef A
#undef C
