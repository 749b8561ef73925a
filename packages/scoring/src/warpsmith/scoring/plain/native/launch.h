// What a text and the driver of its launches share.
#pragma once

#include "vectors.h"

typedef decltype(sizeof(0)) size_t;

extern "C" {
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t);
}

enum { warpsmith_most_regions = 128, warpsmith_most_shared = 48 << 10 };

// Memory that threads share: an array of the launch, or shared memory of a block. In an isolated launch a thread works on what
// it sees: what its block had written at the last barrier, and nothing of other blocks. Its writes reach the memory of its block
// and the real memory when it ends or waits. Atomic functions work on the real memory.
struct warpsmith_region {
    unsigned char *work, *seen, *block, *real, *initial;
    size_t size;
};

// The state of a launch, which the driver owns.
struct warpsmith_state {
    warpsmith_region regions[warpsmith_most_regions];
    int count;
    size_t shared_size;
    bool isolated;
    unsigned long long block;
    void (*synchronize)();
    void (*fence)();
};

// The entry point of a text: its variables, and the function that runs one thread.
struct warpsmith_text {
    dim3 *grid, *block;
    uint3 *block_index, *thread_index;
    warpsmith_state** state;
    void (*run)(void** arguments);
};

struct warpsmith_launch {
    unsigned int grid[3], block[3];
    int reversed, on_fibers, isolated, arrays;
    warpsmith_region* regions;
};
