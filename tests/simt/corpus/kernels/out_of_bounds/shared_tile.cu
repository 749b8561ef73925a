// Sums of five neighbours with a halo of two elements; the tile of the wrong twin has a halo of one.
const int BLOCK = 64;
const int RADIUS = 2;

__global__ void shared_tile(const int* x, int* sums, int n)
{
#ifdef WRONG
    __shared__ int tile[BLOCK + RADIUS];
#else
    __shared__ int tile[BLOCK + 2 * RADIUS];
#endif
    int first = blockIdx.x * BLOCK - RADIUS;
    for (int k = threadIdx.x; k < BLOCK + 2 * RADIUS; k += BLOCK) {
        int i = first + k;
        tile[k] = i >= 0 && i < n ? x[i] : 0;  // WRONG: out_of_bounds
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += tile[threadIdx.x + k];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        sums[i] = sum;
}
