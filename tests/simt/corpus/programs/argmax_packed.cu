// Largest element and its first index by atomicMax of 64 bits: the ordered bits of the float above the inverted index.
__device__ unsigned ordered(float x)
{
    unsigned bits = __float_as_uint(x);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__global__ void argmax_packed(const float* x, unsigned long long* best, int n)
{
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned long long packed = (unsigned long long)ordered(x[i]) << 32 | ~(unsigned)i;
        mine = packed > mine ? packed : mine;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        unsigned long long other = __shfl_xor_sync(0xffffffff, mine, offset);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0)
        atomicMax(best, mine);
}
