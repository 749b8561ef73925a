// Sums of the rows of a matrix: a warp for each row, or a thread for each row.
__global__ void warp_rows(const float* matrix, float* sums, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = lane; column < columns; column += 32)
        sum += matrix[row * columns + column];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (lane == 0)
        sums[row] = sum;
}

__global__ void thread_rows(const float* matrix, float* sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = 0; column < columns; column++)
        sum += matrix[row * columns + column];
    sums[row] = sum;
}
