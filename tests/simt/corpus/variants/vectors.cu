// A copy of four elements by each thread: one access of 16 bytes, or four accesses of 4 bytes that are each coalesced.
__global__ void by_float4(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        reinterpret_cast<float4*>(y)[i] = reinterpret_cast<const float4*>(x)[i];
}

__global__ void by_float(const float* x, float* y, int n)
{
    int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        int i = first + k * blockDim.x;
        if (i < n)
            y[i] = x[i];
    }
}
