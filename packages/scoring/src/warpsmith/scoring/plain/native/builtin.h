// CUDA's words on a CPU: threads run one after the other, or on fibers where the threads of a block wait for each other. The name
// is the one that Warp's clang precompiles.
#pragma once

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __constant__ static const
#define __launch_bounds__(...)

typedef decltype(sizeof(0)) size_t;

extern "C" {
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t);
int wp_cpu_run_block(int, int, void (*)(void*, size_t, int, void*), void*, size_t, void*);
void wp_cpu_tile_sync();
}

#include "vectors.h"

static dim3 gridDim, blockDim;
static uint3 blockIdx, threadIdx;
static const int warpSize = 32;

// Memory that threads share: an array of the launch, or shared memory of a block. In an isolated launch a thread works on what
// it sees: what its block had written at the last barrier, and nothing of other blocks. Its writes reach the memory of its block
// and the real memory when it ends or waits. Atomic functions work on the real memory.
struct warpsmith_region {
    unsigned char *work, *seen, *block, *real, *initial;
    size_t size;
};

struct warpsmith_launch {
    unsigned int grid[3], block[3];
    int reversed, on_fibers, isolated, arrays;
    warpsmith_region* regions;
};

enum { warpsmith_most_regions = 128, warpsmith_most_shared = 48 << 10, warpsmith_chunk = 256 };
static warpsmith_region warpsmith_regions[warpsmith_most_regions];
static int warpsmith_count;
static size_t warpsmith_shared_size;
static bool warpsmith_isolated, warpsmith_waits;
static unsigned long long warpsmith_block, warpsmith_epoch;

// Publish the writes of the thread that stops here, and show the next thread what the block saw at the last barrier.
static void warpsmith_commit()
{
    if (!warpsmith_isolated) return;
    for (int i = 0; i < warpsmith_count; ++i) {
        warpsmith_region& region = warpsmith_regions[i];
        for (size_t start = 0; start < region.size; start += warpsmith_chunk) {
            const size_t end = region.size - start < warpsmith_chunk ? region.size : start + warpsmith_chunk;
            if (!memcmp(region.work + start, region.seen + start, end - start)) continue;
            for (size_t at = start; at < end; ++at)
                if (region.work[at] != region.seen[at]) {
                    region.real[at] = region.block[at] = region.work[at];
                    region.work[at] = region.seen[at];
                }
        }
    }
}

static void warpsmith_show()
{
    if (!warpsmith_isolated) return;
    for (int i = 0; i < warpsmith_count; ++i) {
        warpsmith_region& region = warpsmith_regions[i];
        memcpy(region.seen, region.block, region.size);
        memcpy(region.work, region.block, region.size);
    }
}

static inline void __syncthreads()
{
    const uint3 thread = threadIdx;
    const unsigned long long epoch = warpsmith_epoch;
    warpsmith_commit();
    wp_cpu_tile_sync();
    threadIdx = thread;
    if (warpsmith_epoch == epoch) {
        ++warpsmith_epoch;
        warpsmith_show();
    }
}

static inline void __threadfence()
{
    warpsmith_commit();
    warpsmith_show();
}
static inline void __threadfence_block() { __threadfence(); }

// Shared memory of a block, filled with a pattern that is not a number, at the start of each block.
template <typename Variables> Variables& warpsmith_shared()
{
    alignas(16) static unsigned char memory[5][sizeof(Variables)];
    static unsigned long long block;
    if (block != warpsmith_block) {
        block = warpsmith_block;
        memset(memory, 0xff, sizeof(memory));
        warpsmith_shared_size += sizeof(Variables);
        if (warpsmith_shared_size > warpsmith_most_shared || warpsmith_count == warpsmith_most_regions) __builtin_trap();
        if (warpsmith_isolated)
            warpsmith_regions[warpsmith_count++] = { memory[0], memory[1], memory[2], memory[3], memory[4], sizeof(Variables) };
    }
    return *(Variables*)memory[0];
}

// The place where an atomic function works, after the thread's own writes to it.
template <typename T> struct warpsmith_place {
    T *work, *seen, *block, *real;
    warpsmith_place(T* at) : work(at), seen(at), block(at), real(at)
    {
        if (!warpsmith_isolated) return;
        for (int i = 0; i < warpsmith_count; ++i) {
            warpsmith_region& region = warpsmith_regions[i];
            const size_t offset = (unsigned char*)at - region.work;
            if (offset < region.size) {
                seen = (T*)(region.seen + offset);
                block = (T*)(region.block + offset);
                real = (T*)(region.real + offset);
                if (memcmp(work, seen, sizeof(T))) *real = *work;
            }
        }
    }
    T exchange(T value)
    {
        const T old = *real;
        *real = *block = *seen = *work = value;
        return old;
    }
};

#include "atomics.h"
#include "math.h"

struct warpsmith_block_of_threads {
    void (*run)(void**);
    void** arguments;
    const warpsmith_launch* launch;

    void thread(unsigned int number) const
    {
        const unsigned int* block = launch->block;
        const unsigned int place = launch->reversed ? block[0] * block[1] * block[2] - 1 - number : number;
        threadIdx = { place % block[0], place / block[0] % block[1], place / (block[0] * block[1]) };
        run(arguments);
        warpsmith_commit();
    }
    static void lane(void*, size_t, int number, void* self) { ((warpsmith_block_of_threads*)self)->thread(number); }
};

static void warpsmith_run_block(const warpsmith_block_of_threads& block)
{
    const warpsmith_launch& launch = *block.launch;
    const unsigned int threads = launch.block[0] * launch.block[1] * launch.block[2];
    ++warpsmith_block;
    warpsmith_shared_size = 0;
    warpsmith_count = launch.arrays;
    for (int i = 0; i < launch.arrays; ++i) {
        warpsmith_region& region = warpsmith_regions[i] = launch.regions[i];
        memcpy(region.block, region.initial, region.size);
        memcpy(region.seen, region.initial, region.size);
        memcpy(region.work, region.initial, region.size);
    }
    if (launch.on_fibers) {
        if (!wp_cpu_run_block(threads, threads, &warpsmith_block_of_threads::lane, nullptr, 0, (void*)&block)) __builtin_trap();
        return;
    }
    for (unsigned int number = 0; number < threads; ++number) block.thread(number);
}

static void warpsmith_drive(const warpsmith_launch& launch, void (*run)(void**), void** arguments)
{
    const unsigned int* grid = launch.grid;
    const unsigned int blocks = grid[0] * grid[1] * grid[2];
    gridDim = { grid[0], grid[1], grid[2] };
    blockDim = { launch.block[0], launch.block[1], launch.block[2] };
    warpsmith_isolated = launch.isolated;
    for (int i = 0; i < launch.arrays; ++i) {
        memcpy(launch.regions[i].initial, launch.regions[i].work, launch.regions[i].size);
        memcpy(launch.regions[i].real, launch.regions[i].work, launch.regions[i].size);
    }
    const warpsmith_block_of_threads block = { run, arguments, &launch };
    for (unsigned int number = 0; number < blocks; ++number) {
        const unsigned int place = launch.reversed ? blocks - 1 - number : number;
        blockIdx = { place % grid[0], place / grid[0] % grid[1], place / (grid[0] * grid[1]) };
        warpsmith_run_block(block);
    }
    for (int i = 0; i < launch.arrays; ++i)
        memcpy(launch.regions[i].work, launch.regions[i].real, launch.regions[i].size);
}

#include "constants.h"
