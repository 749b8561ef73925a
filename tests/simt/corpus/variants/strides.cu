// Doubled numbers: neighbours read by neighbouring threads, or 32 elements apart.
__global__ void coalesced(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.0f * x[i];
}

__global__ void strided(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int rows = n / 32;
    int j = i % rows * 32 + i / rows;
    y[j] = 2.0f * x[j];
}
