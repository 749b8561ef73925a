// Slots from a free list that traps when it is empty; threads of the wrong twin take two slots.
__device__ int take(int* available)
{
    int left = atomicSub(available, 1);
    if (left <= 0)
        __trap();  // WRONG: trap
    return left - 1;
}

__global__ void free_slots(int* available, int* owners, const int* wanted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && wanted[i]) {
        int slot = take(available);
#ifdef WRONG
        int spare = take(available);
        owners[spare] = 1;
#endif
        owners[slot] = 1;
    }
}
