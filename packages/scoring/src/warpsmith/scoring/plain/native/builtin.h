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

#include "launch.h"

static dim3 gridDim, blockDim;
static uint3 blockIdx, threadIdx;
static const int warpSize = 32;
static warpsmith_state* warpsmith;

static inline void __syncthreads() { warpsmith->synchronize(); }
static inline void __threadfence() { warpsmith->fence(); }
static inline void __threadfence_block() { __threadfence(); }

// Shared memory of a block, filled with a pattern that is not a number, at the start of each block.
template <typename Variables> Variables& warpsmith_shared()
{
    alignas(16) static unsigned char memory[5][sizeof(Variables)];
    static unsigned long long block;
    if (block != warpsmith->block) {
        block = warpsmith->block;
        memset(memory, 0xff, sizeof(memory));
        warpsmith->shared_size += sizeof(Variables);
        if (warpsmith->shared_size > warpsmith_most_shared || warpsmith->count == warpsmith_most_regions) __builtin_trap();
        if (warpsmith->isolated)
            warpsmith->regions[warpsmith->count++] = { memory[0], memory[1], memory[2], memory[3], memory[4], sizeof(Variables) };
    }
    return *(Variables*)memory[0];
}

// The place where an atomic function works, after the thread's own writes to it.
template <typename T> struct warpsmith_place {
    T *work, *seen, *block, *real;
    warpsmith_place(T* at) : work(at), seen(at), block(at), real(at)
    {
        if (!warpsmith->isolated) return;
        for (int i = 0; i < warpsmith->count; ++i) {
            warpsmith_region& region = warpsmith->regions[i];
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

#include "constants.h"
