// Largest value of each block of 64 threads; in the wrong twin threads after the end of the array return before the shuffles.
__global__ void returned_lanes(const int* x, int* largest, int n)
{
    __shared__ int of_warps[2];
    int i = blockIdx.x * 64 + threadIdx.x;
    int lane = threadIdx.x % 32;
#ifdef WRONG
    if (i >= n)
        return;
    int value = x[i];
#else
    int value = i < n ? x[i] : -2147483647 - 1;
#endif
    for (int step = 16; step > 0; step /= 2)
        value = max(value, __shfl_xor_sync(0xffffffff, value, step));  // WRONG: absent_lane
    if (lane == 0)
        of_warps[threadIdx.x / 32] = value;
    __syncthreads();  // WRONG: divergent_barrier
    if (threadIdx.x == 0)
        largest[blockIdx.x] = max(of_warps[0], of_warps[1]);
}
