// Sums of groups of eight lanes with the mask of each group; the mask of the wrong twin is one lane short.
__global__ void half_mask(const int* x, int* sums)
{
    int lane = threadIdx.x % 32;
    int value = x[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef WRONG
    unsigned mask = 0x7fu << (lane & ~7);
#else
    unsigned mask = 0xffu << (lane & ~7);
#endif
    value += __shfl_xor_sync(mask, value, 4);  // WRONG: absent_lane
    value += __shfl_xor_sync(mask, value, 2);  // WRONG: absent_lane
    value += __shfl_xor_sync(mask, value, 1);  // WRONG: absent_lane
    if (lane % 8 == 0)
        sums[(blockIdx.x * blockDim.x + threadIdx.x) / 8] = value;
}
