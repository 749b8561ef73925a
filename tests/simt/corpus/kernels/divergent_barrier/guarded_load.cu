// Product of a vector and tiles of a matrix; the barrier of the wrong twin is inside the test for the end of the rows.
const int BLOCK = 32;

__global__ void guarded_load(const float* matrix, const float* x, float* y, int rows, int columns)
{
    __shared__ float tile[BLOCK];
    int row = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < columns; first += BLOCK) {
        tile[threadIdx.x] = first + threadIdx.x < columns ? x[first + threadIdx.x] : 0.0f;  // also: shared_race
#ifdef WRONG
        if (row < rows) {
            __syncthreads();  // WRONG: divergent_barrier
#else
        __syncthreads();
        if (row < rows) {
#endif
            for (int k = 0; k < BLOCK && first + k < columns; k++)
                sum += matrix[row * columns + first + k] * tile[k];  // also: shared_race
        }
        __syncthreads();  // WRONG: divergent_barrier
    }
    if (row < rows)
        y[row] = sum;
}
