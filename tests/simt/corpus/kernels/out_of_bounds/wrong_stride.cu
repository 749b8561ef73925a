// Sums of the rows of a matrix with more rows than columns; the wrong twin multiplies the row by the number of rows.
__global__ void wrong_stride(const float* matrix, float* sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
#ifdef WRONG
    const float* first = matrix + row * rows;
#else
    const float* first = matrix + row * columns;
#endif
    float sum = 0.0f;
    for (int column = 0; column < columns; column++)
        sum += first[column];  // WRONG: out_of_bounds
    sums[row] = sum;
}
