// Sums of the digits of numbers in a base that is a power of two: by shifts, or by division and remainder.
__global__ void by_shifts(const unsigned* x, int* sums, unsigned base, int bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (unsigned value = x[i]; value > 0; value >>= bits)
        sum += value & (base - 1);
    sums[i] = sum;
}

__global__ void by_divisions(const unsigned* x, int* sums, unsigned base, int bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (unsigned value = x[i]; value > 0; value /= base)
        sum += value % base;
    sums[i] = sum;
}
