// Maxima and products of doubles, and saturating counters of 16 bits, by loops around compare-and-swap.
__device__ double atomic_max(double* address, double value)
{
    unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = atomicAdd(bits, 0ull);
    while (value > __longlong_as_double(old)) {
        unsigned long long assumed = old;
        old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(value));
        if (old == assumed)
            break;
    }
    return __longlong_as_double(old);
}

__device__ double atomic_multiply(double* address, double value)
{
    unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = atomicAdd(bits, 0ull);
    unsigned long long assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(value * __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ void saturating_increment(unsigned short* counter, unsigned short limit)
{
    unsigned short old = *reinterpret_cast<volatile unsigned short*>(counter);
    while (old < limit) {
        unsigned short assumed = old;
        old = atomicCAS(counter, assumed, (unsigned short)(assumed + 1));
        if (old == assumed)
            break;
    }
}

__global__ void cas_loops(const double* x, double* largest, double* product, unsigned short* counters, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomic_max(largest, x[i]);
    atomic_multiply(product, i % 2 ? 2.0 : 0.5);
    saturating_increment(&counters[i % 3], 20);
}
