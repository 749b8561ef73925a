// Counts of digits 0 to 7 of a number in octal: packed into the bytes of a register, or in a local array.
__global__ void in_registers(const unsigned* x, unsigned char* counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long packed = 0;
    unsigned value = x[i];
#pragma unroll 1
    for (int k = 0; k < 10; k++, value >>= 3)
        packed += 1ull << 8 * (value & 7);
    reinterpret_cast<unsigned long long*>(counts)[i] = packed;
}

__global__ void in_local_memory(const unsigned* x, unsigned char* counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int mine[8] = {};
    unsigned value = x[i];
#pragma unroll 1
    for (int k = 0; k < 10; k++, value >>= 3)
        mine[value & 7]++;
    unsigned long long packed = 0;
    for (int k = 0; k < 8; k++)
        packed |= (unsigned long long)mine[k] << 8 * k;
    reinterpret_cast<unsigned long long*>(counts)[i] = packed;
}
