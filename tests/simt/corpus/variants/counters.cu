// A histogram of four bins: atomics in shared memory for each block, or all atomics in global memory.
__global__ void privatized(const int* keys, int* bins, int n)
{
    __shared__ int counts[4][33];
    int lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < 4 * 33; k += blockDim.x)
        counts[k / 33][k % 33] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[keys[i]][lane], 1);
    __syncthreads();
    if (threadIdx.x < 4) {
        int sum = 0;
        for (int k = 0; k < 32; k++)
            sum += counts[threadIdx.x][k];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}

__global__ void contended(const int* keys, int* bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[keys[i]], 1);
}
