// Means of the positive numbers of rows; the wrong twin divides by the count of a row without any.
__global__ void integer_mean(const int* matrix, int* means, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int sum = 0;
    int count = 0;
    for (int column = 0; column < columns; column++) {
        int value = matrix[row * columns + column];
        if (value > 0) {
            sum += value;
            count++;
        }
    }
#ifndef WRONG
    if (count == 0)
        count = 1;
#endif
    means[row] = sum / count;  // WRONG: divided_by_zero
}
