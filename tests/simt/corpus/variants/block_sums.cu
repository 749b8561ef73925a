// Sums of blocks of 256: warp shuffles, or a tree in shared memory with a barrier for each level.
__global__ void by_shuffles(const int* x, int* sums, int n)
{
    __shared__ int of_warps[8];
    int value = x[blockIdx.x * 256 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 8; warp++)
            value += of_warps[warp];
        sums[blockIdx.x] = value;
    }
}

__global__ void by_interleaved_tree(const int* x, int* sums, int n)
{
    __shared__ int partial[256];
    partial[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (threadIdx.x % (2 * step) == 0)
            partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}
