// Two iterations, chosen by whole warps or by the parity of threads; elements are assigned so that results are equal.
__device__ float first_kind(float x)
{
    for (int k = 0; k < 40; k++)
        x = 0.5f * x * (3.0f - x * x);
    return x;
}

__device__ float second_kind(float x)
{
    for (int k = 0; k < 40; k++)
        x = x * (1.25f - 0.25f * x);
    return x;
}

__global__ void uniform(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int element = i % 64 / 32 + i % 32 * 2 + i / 64 * 64;
    if (i % 64 < 32)
        y[element] = first_kind(x[element]);
    else
        y[element] = second_kind(x[element]);
}

__global__ void divergent(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0)
        y[i] = first_kind(x[i]);
    else
        y[i] = second_kind(x[i]);
}
