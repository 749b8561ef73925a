// Sums of neighbours over several phases; the threads of a block meet at a barrier object in shared memory.
#include <cuda/barrier>

__global__ void phase_barrier(const int* x, int* y, int phases)
{
    __shared__ int values[2][64];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    int t = threadIdx.x;
    if (t == 0)
        init(&barrier, blockDim.x);
    values[0][t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int phase = 0; phase < phases; phase++) {
        int from = phase % 2;
        values[1 - from][t] = values[from][t] + values[from][(t + 1) % 64];
        barrier.arrive_and_wait();
    }
    y[blockIdx.x * 64 + t] = values[phases % 2][t];
}
