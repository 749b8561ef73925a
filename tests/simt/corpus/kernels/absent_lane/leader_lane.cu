// One atomic for all lanes with a positive number; the wrong twin reads the base from lane 0, which may be absent.
__global__ void leader_lane(const int* x, int* kept, int* count)
{
    int value = x[blockIdx.x * blockDim.x + threadIdx.x];
    int lane = threadIdx.x % 32;
    unsigned mask = __ballot_sync(0xffffffff, value > 0);
    if (value <= 0)
        return;
    int leader = __ffs(mask) - 1;
    int base = 0;
    if (lane == leader)
        base = atomicAdd(count, __popc(mask));
#ifdef WRONG
    base = __shfl_sync(mask, base, 0);  // WRONG: absent_lane
    if (base + lane >= (int)(gridDim.x * blockDim.x))
        return;
#else
    base = __shfl_sync(mask, base, leader);
#endif
    kept[base + __popc(mask & ((1u << lane) - 1))] = value;
}
