// Reversed blocks of an array; in the wrong twin threads after the end of the array return before the barrier.
const int BLOCK = 64;

__global__ void early_return(const int* x, int* reversed, int n)
{
    __shared__ int tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
#ifdef WRONG
    if (i >= n)
        return;
    tile[threadIdx.x] = x[i];
#else
    tile[threadIdx.x] = i < n ? x[i] : 0;
#endif
    __syncthreads();  // WRONG: divergent_barrier
    int length = min(BLOCK, n - (int)blockIdx.x * BLOCK);
    if (i < n)
        reversed[i] = tile[length - 1 - threadIdx.x];
}
