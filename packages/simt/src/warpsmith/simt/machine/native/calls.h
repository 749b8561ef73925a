// Calls: each lane has a stack of frames in its local memory. Registers of functions that can be active twice are saved.
#pragma once

static const u64 MOST_SAVED = 256ull << 20;

static bool copy_arguments(Machine& m, Warp& w, u32 lane, const s32* copies, u32 count, s32 caller, s32 callee, bool back) {
    u8* local = w.local + (u64)lane * m.launch->local_size;
    for (u32 k = 0; k < count; k++) {
        s64 from = (s64)caller + copies[3 * k], to = (s64)callee + copies[3 * k + 1], size = copies[3 * k + 2];
        if (from < 0 || to < 0 || size < 0 || from + size > m.launch->local_size || to + size > m.launch->local_size) return false;
        if (back) memcpy(local + from, local + to, size); else memcpy(local + to, local + from, size);
        if (m.launch->checks & CHECK_UNWRITTEN) memset(w.local_written + (u64)lane * m.launch->local_size + (back ? from : to), 1, size);
    }
    return true;
}

static bool call(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    Launch* launch = m.launch;
    u32 table = (u32)((u64)i.immediate >> 32), arguments = i.immediate >> 16 & 0xffff, results = i.immediate & 0xffff;
    FOR_LANES(lane, mask) {
        s32 number = i.slot[3];
        if (i.operation == OP_CALL_INDIRECT) {
            u64 address = w.registers[i.slot[2] * LANES + lane].u, index = address - WINDOW_FUNCTION;
            number = index < launch->function_count ? launch->function_numbers[index] : -1;
            if (number < 0) return stop(m, FINDING_INVALID, b, w, position, lane, address, 0, INVALID_CALL);
        }
        const CallTarget& target = launch->targets[number];
        s32 frame = w.frame[lane] + launch->targets[w.function[lane]].frame;
        u32 depth = w.depth[lane];
        if (depth >= MOST_CALLS || (u64)frame + target.frame > launch->local_size)
            return stop(m, FINDING_STACK_OVERFLOW, b, w, position, lane, 0, 0, depth);
        if (!w.calls[lane]) w.calls[lane] = make<CallRecord>(MOST_CALLS);
        if (!w.calls[lane]) return stop(m, FINDING_STACK_OVERFLOW, b, w, position, lane, 0, 0, depth);
        charge(m, sizeof(V) * target.slots + target.frame);
        CallRecord record = {(s32)position + 1, w.frame[lane], w.function[lane], (u32)target.slots};
        w.calls[lane][depth] = record;
        w.depth[lane]++;
        if (target.slots) {
            u32 needed = w.saved_count[lane] + target.slots;
            if (needed > w.saved_capacity[lane]) {
                u32 capacity = needed * 2;
                m.saved_bytes += 8ull * (capacity - w.saved_capacity[lane]);
                if (m.saved_bytes > MOST_SAVED) return stop(m, FINDING_STACK_OVERFLOW, b, w, position, lane, 0, 0, depth);
                V* saved = (V*)realloc(w.saved[lane], sizeof(V) * capacity);
                if (!saved) return stop(m, FINDING_STACK_OVERFLOW, b, w, position, lane, 0, 0, depth);
                w.saved[lane] = saved;
                w.saved_capacity[lane] = capacity;
            }
            for (s32 k = 0; k < target.slots; k++)
                w.saved[lane][w.saved_count[lane] + k] = w.registers[(target.first_slot + k) * LANES + lane];
            w.saved_count[lane] = needed;
        }
        if (launch->checks & CHECK_UNWRITTEN)
            memset(w.local_written + (u64)lane * launch->local_size + frame, 0, target.frame);
        if (!copy_arguments(m, w, lane, launch->tables + table + 3 * results, arguments, w.frame[lane], frame, false))
            return stop(m, FINDING_INVALID, b, w, position, lane, 0, 0, INVALID_CALL);
        w.frame[lane] = frame;
        w.function[lane] = number;
        w.position[lane] = target.entry;
    }
    return true;
}

static void return_call(Warp& w, const Launch* launch, u32 mask) {
    FOR_LANES(lane, mask) {
        const CallRecord& record = w.calls[lane][--w.depth[lane]];
        if (record.saved) {
            const CallTarget& target = launch->targets[w.function[lane]];
            w.saved_count[lane] -= record.saved;
            for (u32 k = 0; k < record.saved; k++)
                w.registers[(target.first_slot + k) * LANES + lane] = w.saved[lane][w.saved_count[lane] + k];
        }
        w.last_frame[lane] = w.frame[lane];
        w.frame[lane] = record.frame;
        w.function[lane] = record.function;
        w.position[lane] = record.position;
    }
}
