// Doubled numbers by all threads, or by a single thread in a loop.
__global__ void many_threads(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.0f * x[i];
}

__global__ void one_thread(const float* x, float* y, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            y[i] = 2.0f * x[i];
}
