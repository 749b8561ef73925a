// Products by compare-and-swap; the wrong twin does not take over the value that another thread has stored.
__global__ void stale_expected(const float* factors, float* product, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int* bits = reinterpret_cast<int*>(product);
    int expected = atomicAdd(bits, 0);
    int found;
    while (true) {
        int next = __float_as_int(__int_as_float(expected) * factors[i]);  // WRONG: step_limit
        found = atomicCAS(bits, expected, next);  // WRONG: step_limit
        if (found == expected)  // WRONG: step_limit
            break;
#ifndef WRONG
        expected = found;
#endif
    }
}
