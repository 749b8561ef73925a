// Inclusive sums of each block after Hillis and Steele with two buffers; the wrong twin has one buffer.
const int BLOCK = 128;

__global__ void hillis_steele_scan(const int* x, int* sums, int n)
{
    __shared__ int buffers[2][BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int t = threadIdx.x;
    int from = 0;
    buffers[0][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int step = 1; step < BLOCK; step *= 2) {
#ifdef WRONG
        int to = from;
#else
        int to = 1 - from;
#endif
        if (t >= step)
            buffers[to][t] = buffers[from][t] + buffers[from][t - step];  // WRONG: shared_race
        else
            buffers[to][t] = buffers[from][t];
        __syncthreads();
        from = to;
    }
    if (i < n)
        sums[i] = buffers[from][t];
}
