// Stands before Warp's own builtin.h, and is precompiled with it: Warp's index asserts are on, and CUDA's words have a meaning
// on a CPU. With __CUDACC__ undefined Warp's headers take their CPU branches.
#pragma once
#undef NDEBUG

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __shared__ static

#include_next "builtin.h"
#include "deterministic.h"

// What the variables of compiled kernels without a value contain, see unset.py.
extern "C" { WP_API char warpsmith_unset[16] = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 }; }

// One thread of the grid at a time: a loop sets its place, or, where threads wait for each other, its fiber tells.
struct warpsmith_place
{
    unsigned int number;
    bool on_fiber;
    operator unsigned int() const { return on_fiber ? (unsigned int)wp_cpu_get_thread_idx() : number; }
};
struct warpsmith_places { warpsmith_place x, y, z; };
struct warpsmith_extent { unsigned int x, y, z; };

static warpsmith_places threadIdx;
static warpsmith_extent blockIdx, blockDim, gridDim;

static inline void __syncthreads()
{
    if (threadIdx.x.on_fiber)
        wp_cpu_tile_sync();
}

namespace wp {
// Kernels declare their shared memory thread by thread; here the driver owns one storage a block, and theirs is this.
struct warpsmith_no_storage
{
    static inline void init() {}
};
}  // namespace wp

struct warpsmith_shape
{
    unsigned int grid;      // blocks
    unsigned int block;     // threads of a block
    int reversed;           // last thread first
    int on_fibers;          // threads wait for each other: the block runs on fibers
};

// One thread of a kernel. Arguments are given as to cuLaunchKernel, one pointer each.
struct warpsmith_thread
{
    void (*run)(void** arguments);
    void** arguments;

    static void lane(void*, size_t, int, void* self)
    {
        ((warpsmith_thread*)self)->run(((warpsmith_thread*)self)->arguments);
    }
};

// What a CUDA launch does with a grid of blocks. Not static: the time that linking takes grows with the square of the number of
// local symbols.
inline void warpsmith_drive(const warpsmith_shape& shape, void (*run)(void**), void** arguments)
{
    warpsmith_thread thread = { run, arguments };
    gridDim = { shape.grid, 1, 1 };
    blockDim = { shape.block, 1, 1 };
    threadIdx.x.on_fiber = shape.on_fibers != 0;
    for (unsigned int b = 0; b < shape.grid; ++b) {
        blockIdx.x = shape.reversed ? shape.grid - 1 - b : b;
        if (shape.on_fibers) {
            wp::tile_shared_storage_t storage;
            wp_cpu_run_block((int)shape.block, (int)shape.block, &warpsmith_thread::lane, nullptr, b, &thread);
            continue;
        }
        for (unsigned int t = 0; t < shape.block; ++t) {
            threadIdx.x.number = shape.reversed ? shape.block - 1 - t : t;
            run(arguments);
        }
    }
}

// One thread of a grid that runs the kernel of a C++ text: ``given`` holds the bounds, the kernel and the structures it takes.
template <int N, typename... Structures> void warpsmith_stride(void** given)
{
    const wp::launch_bounds_t<N>& dim = *(const wp::launch_bounds_t<N>*)given[0];
    const auto kernel = (void (*)(wp::launch_bounds_t<N>, size_t, Structures...))given[1];
    for (size_t index = (size_t)blockDim.x * blockIdx.x + threadIdx.x; index < dim.size; index += (size_t)blockDim.x * gridDim.x) {
        if constexpr (sizeof...(Structures) == 1) kernel(dim, index, given[2]);
        else kernel(dim, index, given[2], given[3]);
    }
}
