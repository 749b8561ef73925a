// Prime numbers collected in any order: the active lanes of a warp share one atomic.
__device__ bool is_prime(int x)
{
    if (x < 2)
        return false;
    for (int d = 2; d * d <= x; d++)
        if (x % d == 0)
            return false;
    return true;
}

__device__ int shared_increment(int* counter)
{
    unsigned active = __activemask();
    int leader = __ffs(active) - 1;
    int lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader)
        base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    return base + __popc(active & ((1u << lane) - 1));
}

__global__ void atomic_compaction(int* found, int* primes, int* count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && is_prime(i)) {
        primes[shared_increment(count)] = i;
        found[i] = 1;
    }
}
