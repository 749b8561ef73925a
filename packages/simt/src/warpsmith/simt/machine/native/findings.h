// Findings: one for each kind and pair of places.
#pragma once

static void report(Machine& m, u32 kind, u32 position, u32 block, u32 thread, u64 address = 0, u64 size = 0, u32 detail = 0,
                   u32 other_position = ~0u, u32 other_block = 0, u32 other_thread = 0) {
    Launch* launch = m.launch;
    for (u32 k = 0; k < launch->finding_count; k++) {
        Finding& known = launch->findings[k];
        if (known.kind == kind && known.position == position && known.other_position == other_position) {
            known.count++;
            if (kind == FINDING_ABSENT_LANE && known.size && !size) {  // more than an undefined value
                known.size = 0;
                known.detail = detail;
                known.block = block;
                known.thread = thread;
            }
            return;
        }
    }
    if (launch->finding_count < launch->finding_capacity) {
        Finding finding = {kind, position, other_position, detail, block, thread, other_block, other_thread, address, size, 1};
        launch->findings[launch->finding_count++] = finding;
    }
}

// The finding that ends a launch; it takes the place of the last one if there are too many.
static void report_last(Machine& m, u32 kind, u32 position, u32 block, u32 thread, u64 address, u64 size, u32 detail) {
    Launch* launch = m.launch;
    if (launch->finding_count == launch->finding_capacity) launch->finding_count--;
    report(m, kind, position, block, thread, address, size, detail);
    launch->stopped = 1;
}

// Work that takes longer than an instruction counts as further steps, so that the limit of steps bounds the time.
static void charge(Machine& m, u64 bytes) { m.steps += bytes >> 12; }
