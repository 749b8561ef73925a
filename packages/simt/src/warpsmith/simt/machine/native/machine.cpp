// A SIMT machine for lowered PTX. It runs blocks one after the other; a block that waits for others gives them its turn.
#include "arithmetic.h"
#include "numbers.h"
#include "host.h"
#include "launch.h"
#include "clocks.h"
#include "state.h"
#include "findings.h"
#include "memory.h"
#include "races.h"
#include "accesses.h"
#include "matrices.h"
#include "phase_barriers.h"
#include "textures.h"
#include "exchange.h"
#include "barriers.h"
#include "calls.h"
#include "printing.h"
#include "warp_loop.h"

static V* take_file(Machine& m) {
    Launch* launch = m.launch;
    if (m.file_count) return m.files[--m.file_count];
    V* file = make<V>((u64)launch->slots * LANES);
    if (!file) return nullptr;
    for (u32 k = 0; k < launch->constant_count; k++)
        for (u32 lane = 0; lane < LANES; lane++) file[(u64)launch->constant_slots[k] * LANES + lane].u = launch->constant_values[k];
    return file;
}

template <typename T> static void give_back(T**& pool, u32& count, u32& capacity, T* item) {
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 16;
        pool = (T**)realloc(pool, sizeof(T*) * capacity);
    }
    pool[count++] = item;
}

static void set_specials(Machine& m, Block& b, Warp& w) {
    Launch* launch = m.launch;
    u32 width = launch->block[0], height = launch->block[1];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 thread = w.first + lane, bit = 1u << lane, below = bit - 1;
        u32 values[SPECIAL_REGISTERS] = {
            thread % width, thread / width % height, thread / (width * height), width, height, launch->block[2],
            b.x, b.y, b.z, launch->grid[0], launch->grid[1], launch->grid[2], lane, w.number,
            bit, below, below | bit, ~(below | bit), ~below, b.number % 108, 1, 108, m.warps, launch->shared_size, launch->shared_size,
            (u32)(GRID_WORKSPACE >> 32), (u32)GRID_WORKSPACE};
        for (u32 k = 0; k < SPECIAL_REGISTERS; k++)
            if (launch->specials[k] >= 0) w.registers[(u64)launch->specials[k] * LANES + lane].u = values[k];
    }
}

// False if the process lacks memory.
static bool start_warp(Machine& m, Block& b, Warp& w) {
    Launch* launch = m.launch;
    w.registers = take_file(m);
    if (!w.registers) return stop(m, FINDING_INVALID, b, w, 0, 0, 0, 0, INVALID_MEMORY);
    w.started = true;
    u64 local = (u64)launch->local_size * LANES;
    if (local) {
        w.local = m.stack_count ? m.stacks[--m.stack_count] : make<u8>(local * 2);
        if (!w.local) return stop(m, FINDING_INVALID, b, w, 0, 0, 0, 0, INVALID_MEMORY);
        w.local_written = w.local + local;
        if (launch->checks & CHECK_UNWRITTEN) memset(w.local_written, 0, local);
    }
    set_specials(m, b, w);
    for (u32 lane = 0; lane < LANES; lane++) {
        w.position[lane] = launch->targets[launch->target_count - 1].entry;
        w.function[lane] = launch->target_count - 1;
    }
    return true;
}

static void free_warp(Machine& m, Warp& w) {
    if (w.registers) give_back(m.files, m.file_count, m.file_capacity, w.registers);
    if (w.local) give_back(m.stacks, m.stack_count, m.stack_capacity, w.local);
    for (u32 lane = 0; lane < LANES; lane++) {
        free(w.calls[lane]);
        free(w.saved[lane]);
        m.saved_bytes -= sizeof(V) * w.saved_capacity[lane];
        w.calls[lane] = nullptr;
        w.saved[lane] = nullptr;
        w.saved_capacity[lane] = 0;
    }
    free(w.copies);
    w.copies = nullptr;
    w.registers = nullptr;
    w.local = nullptr;
}

// False if the process lacks memory.
static bool start_block(Machine& m, Block& b, u32 number) {
    Launch* launch = m.launch;
    u32 width = launch->grid[0], height = launch->grid[1];
    if (!b.warps) {
        b.warps = make<Warp>(m.warps);
        if (!b.warps) return false;
        b.shared_memory = make<u8>((u64)launch->shared_size + 256);
        b.shared = (u8*)(((u64)b.shared_memory + 255) & ~255ull);
        b.shared_written = make<u8>((u64)launch->shared_size + 1);
        if (!b.shared_memory || !b.shared_written) return false;
        if (launch->checks & CHECK_SHARED_RACES) {
            b.shadow.count = ((u64)launch->shared_size + 3) / 4;
            b.shadow.cells = make<Cell>(b.shadow.count);
            if (!b.shadow.cells) b.shadow.count = 0;
        }
    }
    b.number = number;
    b.x = number % width;
    b.y = number / width % height;
    b.z = number / (width * height);
    b.exited = 0;
    b.done = false;
    memset(b.shared, 0xA5, launch->shared_size);
    memset(b.shared_written, 0, launch->shared_size);
    memset(b.barriers, 0, sizeof b.barriers);
    memset(b.known, 0, sizeof b.known);
    if (b.shadow.cells) memset(b.shadow.cells, 0, sizeof(Cell) * b.shadow.count);
    b.shadow.group_count = 0;
    for (u32 k = 0; k < m.warps; k++) {
        Warp& w = b.warps[k];
        release_clock(w.acquired);
        memset(&w, 0, sizeof w);
        w.number = k;
        w.first = k * LANES;
        w.tick = 1;
        u32 threads = m.threads - w.first;
        w.live = threads >= LANES ? ~0u : (1u << threads) - 1;
    }
    return true;
}

static void free_block(Machine& m, Block& b) {
    for (u32 k = 0; k < m.warps && b.warps; k++) {
        free_warp(m, b.warps[k]);
        release_clock(b.warps[k].acquired);
    }
    free(b.warps);
    free(b.shared_memory);
    free(b.shared_written);
    free(b.shadow.cells);
    free(b.shadow.groups);
}

// Let lanes go on that wait for lanes which never come; false if there are none.
static bool force_waiting(Block& b, u32 warps) {
    for (u32 k = 0; k < warps; k++) {
        Warp& w = b.warps[k];
        if (!w.waiting) continue;
        u32 position = ~0u;
        FOR_LANES(lane, w.waiting) if (w.position[lane] < position) position = w.position[lane];
        w.forced = lanes_at(w, w.waiting, position);
        w.waiting &= ~w.forced;
        return true;
    }
    return false;
}

static bool report_deadlock(Machine& m, Block& b) {
    for (u32 k = 0; k < m.warps; k++) {
        Warp& w = b.warps[k];
        if (w.live) {
            u32 lane = __builtin_ctz(w.live);
            return stop(m, FINDING_DEADLOCK, b, w, w.position[lane], lane);
        }
    }
    return true;
}

enum BlockResult { BLOCK_FINISHED, BLOCK_YIELDED, BLOCK_STOPPED };

static BlockResult run_block(Machine& m, Block& b) {
    u64 start = m.steps;
    for (;;) {
        bool progress = false, yielded = false;
        u32 finished = 0;
        for (u32 k = 0; k < m.warps; k++) {
            Warp& w = b.warps[m.launch->reversed ? m.warps - 1 - k : k];
            if (!w.live) { finished++; continue; }
            if (!(w.live & ~w.barred & ~w.waiting)) continue;
            if (!w.started && !start_warp(m, b, w)) return BLOCK_STOPPED;
            u64 before = m.steps;
            WarpResult result = run_warp(m, b, w);
            w.steps += m.steps - before;
            if (w.steps > m.launch->counts.longest_warp) m.launch->counts.longest_warp = w.steps;
            progress = true;
            if (result == WARP_STOPPED) return BLOCK_STOPPED;
            if (result == WARP_YIELDED) yielded = true;
            if (result == WARP_FINISHED) {
                free_warp(m, w);
                finished++;
            }
        }
        if (finished == m.warps) return BLOCK_FINISHED;
        if (!progress && !force_waiting(b, m.warps)) {
            report_deadlock(m, b);
            return BLOCK_STOPPED;
        }
        if (yielded && m.steps - start > BUDGET) return BLOCK_YIELDED;
    }
}

extern "C" void simt_sizes(u32* sizes) {
    u32 found[] = {sizeof(Instruction), sizeof(CallTarget), sizeof(Range), sizeof(Finding), sizeof(Counts), sizeof(Launch)};
    memcpy(sizes, found, sizeof found);
}

static void start_next(Machine& m, Block& b, u32& next, bool& stopped) {
    u32 number = m.launch->reversed ? m.blocks - 1 - next : next;
    if (!start_block(m, b, number)) {
        report_last(m, FINDING_INVALID, 0, number, 0, 0, 0, INVALID_MEMORY);
        stopped = true;
    }
    next++;
}

extern "C" void simt_launch(Launch* launch) {
    Machine m = {};
    m.launch = launch;
    m.threads = launch->block[0] * launch->block[1] * launch->block[2];
    m.warps = (m.threads + LANES - 1) / LANES;
    m.clocks.warps = m.warps;
    m.blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
    m.shadows = make<Shadow>(launch->heap_ranges + 1);
    m.touched = make<u8*>(launch->heap_ranges + 1);
    u64 block_bytes = (u64)m.warps * ((u64)launch->slots * LANES * sizeof(V) + 2ull * launch->local_size * LANES + sizeof(Warp)
                                        + (launch->target_count > 1 ? (u64)MOST_CALLS * LANES * sizeof(CallRecord) : 0))
                    + 18ull * launch->shared_size + sizeof(Block);
    u64 most = launch->memory / block_bytes;
    u32 capacity = most < 1 ? 1 : most > 1024 ? 1024 : (u32)most, resident = 0, next = 0;
    Block** blocks = make<Block*>(capacity);  // made when they are first in use: all of them have 20 MB
    u32* running = make<u32>(capacity);  // indices of blocks
    u32 allowed = 1;
    bool stopped = false;
    while (!stopped && (next < m.blocks || resident)) {
        while (resident < allowed && resident < capacity && next < m.blocks) {
            u32 index = 0;  // a block that is not in use
            for (u32 k = 0; k < resident; k++) if (running[k] == index) { index++; k = ~0u; }
            if (!blocks[index]) blocks[index] = make<Block>(1);
            start_next(m, *blocks[index], next, stopped);
            running[resident++] = index;
        }
        bool any_finished = stopped;
        for (u32 k = 0; k < resident && !stopped;) {
            Block& b = *blocks[running[k]];
            BlockResult result = run_block(m, b);
            if (result == BLOCK_STOPPED) stopped = true;
            if (result == BLOCK_FINISHED) {
                any_finished = true;
                if (next < m.blocks) {
                    start_next(m, b, next, stopped);
                    continue;
                }
                for (u32 j = k; j + 1 < resident; j++) running[j] = running[j + 1];
                resident--;
            } else {
                k++;
            }
        }
        if (!any_finished && allowed < capacity) allowed = allowed * 2 < capacity ? allowed * 2 : capacity;
    }
    launch->counts.steps = m.steps;
    if (m.too_many_clocks) launch->checks &= ~CHECK_GLOBAL_RACES;
    for (u32 k = 0; k < capacity && blocks[k]; k++) {
        free_block(m, *blocks[k]);
        free(blocks[k]);
    }
    free(blocks);
    free(running);
    for (u32 k = 0; k < launch->heap_ranges + 1; k++) {
        free(m.shadows[k].cells);
        free(m.shadows[k].groups);
        free(m.touched[k]);
    }
    free(m.shadows);
    free(m.touched);
    for (u32 k = 0; k < m.file_count; k++) free(m.files[k]);
    for (u32 k = 0; k < m.stack_count; k++) free(m.stacks[k]);
    free(m.files);
    free(m.stacks);
    for (u64 k = 0; k < m.sync.capacity; k++) release_clock(m.sync.places[k].clock);
    free(m.sync.places);
}
