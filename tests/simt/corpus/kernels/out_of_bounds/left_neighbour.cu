// Backward differences; in the wrong twin the first thread reads the element before the array.
__global__ void left_neighbour(const double* x, double* difference, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#ifdef WRONG
    difference[i] = x[i] - x[i - 1];  // WRONG: out_of_bounds
#else
    difference[i] = i > 0 ? x[i] - x[i - 1] : 0.0;
#endif
}
