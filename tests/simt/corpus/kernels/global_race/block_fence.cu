// Blocks publish numbers and read those of the block before; the wrong twin has fences for a block instead of the device.
#ifdef WRONG
#define FENCE __threadfence_block
#else
#define FENCE __threadfence
#endif

__global__ void block_fence(const int* x, int* slots, int* ready, int* sums)
{
    if (threadIdx.x != 0)
        return;
    int block = blockIdx.x;
    slots[block] = x[block] * 3;  // WRONG: global_race
    FENCE();
    atomicExch(&ready[block], 1);
    if (block == 0)
        return;
    while (atomicAdd(&ready[block - 1], 0) == 0)
        ;
    FENCE();
    sums[block] = slots[block - 1] + slots[block];  // WRONG: global_race
}
