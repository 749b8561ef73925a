// Sum in one launch: the last block adds the sums of all blocks; the wrong twin has no fence before the counter.
__device__ unsigned arrived = 0;

__global__ void last_block_sum(const int* x, int* partial, int* total, int n)
{
    __shared__ int sums[64];
    __shared__ bool last;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = sums[0];  // WRONG: global_race
#ifndef WRONG
        __threadfence();
#endif
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;  // also: global_race
    }
    __syncthreads();
    if (last && t == 0) {
#ifndef WRONG
        __threadfence();
#endif
        int sum = 0;
        for (unsigned block = 0; block < gridDim.x; block++)
            sum += partial[block];  // WRONG: global_race
        *total = sum;
        arrived = 0;  // also: global_race
    }
}
