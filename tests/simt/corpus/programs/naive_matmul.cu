// Product of two matrices, a thread for each element.
__global__ void naive_matmul(const double* a, const double* b, double* c, int m, int n, int k)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    double sum = 0.0;
    for (int i = 0; i < k; i++)
        sum = fma(a[row * k + i], b[i * n + column], sum);
    c[row * n + column] = sum;
}
