// CRC-32 of strings by a table that each block computes in shared memory, and Adler-32 of the same strings.
__global__ void checksums(const unsigned char* bytes, const int* offsets, unsigned* crcs, unsigned* adlers, int n)
{
    __shared__ unsigned table[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        unsigned value = k;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? 0xedb88320u ^ value >> 1 : value >> 1;
        table[k] = value;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned crc = ~0u;
    unsigned a = 1;
    unsigned b = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; k++) {
        crc = table[(crc ^ bytes[k]) & 255] ^ crc >> 8;
        a = (a + bytes[k]) % 65521;
        b = (b + a) % 65521;
    }
    crcs[i] = ~crc;
    adlers[i] = b << 16 | a;
}
