// A polynomial of degree 64 in single or in double precision.
template <class T>
__device__ T polynomial(T x)
{
    T sum = T(0);
    for (int k = 0; k < 64; k++)
        sum = sum * x + T(1) / T(64);
    return sum;
}

__global__ void in_float(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = polynomial(x[i]);
}

__global__ void in_double(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (float)polynomial((double)x[i]);
}
