// Sum of a block by a tree of any width; the wrong twin halves the width upwards and stays at one.
const int BLOCK = 96;

__global__ void halving(const int* x, int* sums)
{
    __shared__ int partial[BLOCK];
    int t = threadIdx.x;
    partial[t] = x[blockIdx.x * BLOCK + t];
    __syncthreads();
    int width = BLOCK;
#ifdef WRONG
    while (width > 0) {  // WRONG: step_limit
#else
    while (width > 1) {
#endif
        int half = (width + 1) / 2;  // WRONG: step_limit
        if (t + half < width)  // WRONG: step_limit
            partial[t] += partial[t + half];  // WRONG: step_limit
        __syncthreads();  // WRONG: step_limit
        width = half;
    }
    if (t == 0)
        sums[blockIdx.x] = partial[0];
}
