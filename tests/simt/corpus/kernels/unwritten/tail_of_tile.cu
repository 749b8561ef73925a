// Sum of each tile by its first thread; in the wrong twin threads after the end of the array write nothing into the tile.
const int BLOCK = 64;

__global__ void tail_of_tile(const float* x, float* sums, int n)
{
    __shared__ float tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        tile[threadIdx.x] = x[i];
#ifndef WRONG
    else
        tile[threadIdx.x] = 0.0f;
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int k = 0; k < BLOCK; k++)
            sum += tile[k];  // WRONG: unwritten_shared
        sums[blockIdx.x] = sum;
    }
}
