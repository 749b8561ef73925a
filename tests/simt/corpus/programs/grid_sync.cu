// Sum of an array by halves; the whole grid meets after each step through cooperative groups.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void grid_sync(int* x, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int half = n / 2; half > 0; half /= 2) {
        for (int i = grid.thread_rank(); i < half; i += grid.size())
            x[i] += x[i + half];
        grid.sync();
    }
}
