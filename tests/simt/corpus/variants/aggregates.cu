// Sum of an array: one atomic for each warp after shuffles, or one atomic for each number.
__global__ void by_warps(const float* x, float* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? x[i] : 0.0f;
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, value);
}

__global__ void by_threads(const float* x, float* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(total, x[i]);
}
