// Sum by cooperative groups: tiles of 32 and of 4 threads, and the group of those that have a positive number.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void cooperative_reduce(const int* x, int* total, int* of_fours, int* positive, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(warp);
    int i = block.group_index().x * block.size() + block.thread_rank();
    int value = i < n ? x[i] : 0;
    int of_warp = cg::reduce(warp, value, cg::plus<int>());
    if (warp.thread_rank() == 0)
        atomicAdd(total, of_warp);
    int of_four = value;
    for (int step = 2; step > 0; step /= 2)
        of_four += four.shfl_xor(of_four, step);
    if (four.thread_rank() == 0)
        of_fours[i / 4] = of_four;
    block.sync();
    if (value > 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0)
            atomicAdd(positive, active.size());
    }
}
