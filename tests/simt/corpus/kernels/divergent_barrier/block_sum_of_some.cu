// Sum of the positive numbers of a block by a device function with barriers; only some threads of the wrong twin call it.
const int BLOCK = 64;

__device__ int block_sum(int value)
{
    __shared__ int partial[BLOCK];
    partial[threadIdx.x] = value;
    __syncthreads();  // WRONG: divergent_barrier
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];  // also: unwritten_shared
        __syncthreads();  // WRONG: divergent_barrier
    }
    return partial[0];  // also: unwritten_shared
}

__global__ void block_sum_of_some(const int* x, int* sums)
{
    int value = x[blockIdx.x * BLOCK + threadIdx.x];
#ifdef WRONG
    int sum = 0;
    if (value > 0)
        sum = block_sum(value);
#else
    int sum = block_sum(value > 0 ? value : 0);
#endif
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
