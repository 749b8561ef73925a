// The driver of plain launches: what CUDA does with a grid of blocks. Threads run one after the other, or on fibers where the
// threads of a block wait for each other. It is compiled once, and each text has its own variables.
#include "launch.h"

extern "C" {
int wp_cpu_run_block(int, int, void (*)(void*, size_t, int, void*), void*, size_t, void*);
void wp_cpu_tile_sync();
}

enum { chunk = 256 };
static warpsmith_state state;
static warpsmith_text text;
static void** arguments;
static unsigned long long epoch;

// Publish the writes of the thread that stops here, and show the next thread what the block saw at the last barrier.
static void commit()
{
    if (!state.isolated) return;
    for (int i = 0; i < state.count; ++i) {
        warpsmith_region& region = state.regions[i];
        for (size_t start = 0; start < region.size; start += chunk) {
            const size_t end = region.size - start < chunk ? region.size : start + chunk;
            if (!memcmp(region.work + start, region.seen + start, end - start)) continue;
            for (size_t at = start; at < end; ++at)
                if (region.work[at] != region.seen[at]) {
                    region.real[at] = region.block[at] = region.work[at];
                    region.work[at] = region.seen[at];
                }
        }
    }
}

static void show()
{
    if (!state.isolated) return;
    for (int i = 0; i < state.count; ++i) {
        warpsmith_region& region = state.regions[i];
        memcpy(region.seen, region.block, region.size);
        memcpy(region.work, region.block, region.size);
    }
}

static void synchronize()
{
    const uint3 thread = *text.thread_index;
    const unsigned long long before = epoch;
    commit();
    wp_cpu_tile_sync();
    *text.thread_index = thread;
    if (epoch == before) {
        ++epoch;
        show();
    }
}

static void fence()
{
    commit();
    show();
}

struct threads_of_block {
    const warpsmith_launch* launch;

    void thread(unsigned int number) const
    {
        const unsigned int* block = launch->block;
        const unsigned int place = launch->reversed ? block[0] * block[1] * block[2] - 1 - number : number;
        *text.thread_index = { place % block[0], place / block[0] % block[1], place / (block[0] * block[1]) };
        text.run(arguments);
        commit();
    }
    static void lane(void*, size_t, int number, void* self) { ((threads_of_block*)self)->thread(number); }
};

static void run_block(const threads_of_block& block)
{
    const warpsmith_launch& launch = *block.launch;
    const unsigned int threads = launch.block[0] * launch.block[1] * launch.block[2];
    ++state.block;
    state.shared_size = 0;
    state.count = launch.arrays;
    for (int i = 0; i < launch.arrays; ++i) {
        warpsmith_region& region = state.regions[i] = launch.regions[i];
        memcpy(region.block, region.initial, region.size);
        memcpy(region.seen, region.initial, region.size);
        memcpy(region.work, region.initial, region.size);
    }
    if (launch.on_fibers) {
        if (!wp_cpu_run_block(threads, threads, &threads_of_block::lane, nullptr, 0, (void*)&block)) __builtin_trap();
        return;
    }
    for (unsigned int number = 0; number < threads; ++number) block.thread(number);
}

extern "C" void warpsmith_drive(const warpsmith_text& launched, const warpsmith_launch& launch, void** given)
{
    text = launched;
    arguments = given;
    *text.state = &state;
    state.synchronize = &synchronize;
    state.fence = &fence;
    const unsigned int* grid = launch.grid;
    const unsigned int blocks = grid[0] * grid[1] * grid[2];
    *text.grid = { grid[0], grid[1], grid[2] };
    *text.block = { launch.block[0], launch.block[1], launch.block[2] };
    state.isolated = launch.isolated;
    for (int i = 0; i < launch.arrays; ++i) {
        memcpy(launch.regions[i].initial, launch.regions[i].work, launch.regions[i].size);
        memcpy(launch.regions[i].real, launch.regions[i].work, launch.regions[i].size);
    }
    const threads_of_block block = { &launch };
    for (unsigned int number = 0; number < blocks; ++number) {
        const unsigned int place = launch.reversed ? blocks - 1 - number : number;
        *text.block_index = { place % grid[0], place / grid[0] % grid[1], place / (grid[0] * grid[1]) };
        run_block(block);
    }
    for (int i = 0; i < launch.arrays; ++i)
        memcpy(launch.regions[i].work, launch.regions[i].real, launch.regions[i].size);
}
