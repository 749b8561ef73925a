// Largest value of each group; the wrong twin reads the maximum atomically, compares and stores without an atomic.
__global__ void read_then_store(const int* groups, const int* values, int* largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int* target = &largest[groups[i]];
#ifdef WRONG
    int before = atomicAdd(target, 0);  // WRONG: global_race
    if (values[i] > before)
        *target = values[i];  // WRONG: global_race
#else
    atomicMax(target, values[i]);
#endif
}
