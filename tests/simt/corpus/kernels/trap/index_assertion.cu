// Gather with an assertion about the indices; the wrong twin counts them from one.
__global__ void index_assertion(const int* indices, const float* values, float* gathered, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#ifdef WRONG
    int index = indices[i] + 1;
#else
    int index = indices[i];
#endif
    assert(index >= 0 && index < n);  // WRONG: assertion
    gathered[i] = values[index];
}
