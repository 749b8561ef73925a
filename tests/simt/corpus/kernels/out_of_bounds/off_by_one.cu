// a x + y; the wrong twin compares with <= instead of <.
__global__ void off_by_one(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef WRONG
    if (i <= n)
#else
    if (i < n)
#endif
        y[i] = a * x[i] + y[i];  // WRONG: out_of_bounds
}
