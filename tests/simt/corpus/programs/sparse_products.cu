// Product of a sparse matrix in CSR format with a vector: a thread for each row, and a warp for each row.
__global__ void scalar_rows(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = offsets[row]; k < offsets[row + 1]; k++)
        sum += values[k] * __ldg(&x[columns[k]]);
    y[row] = sum;
}

__global__ void vector_rows(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows)
{
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
