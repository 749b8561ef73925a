// Tiles of eight by eight numbers of 16 bits by ldmatrix, as they are and transposed.
__global__ void matrix_loads(const unsigned short* tiles, unsigned short* plain, unsigned short* transposed)
{
    __shared__ __align__(16) unsigned short shared[4][8][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        (&shared[0][0][0])[i] = tiles[i];
    __syncthreads();
    unsigned from = (unsigned)__cvta_generic_to_shared(&shared[lane / 8][lane % 8][0]);
    unsigned r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(from)
                 : "memory");
    for (int tile = 0; tile < 4; tile++) {
        plain[tile * 64 + lane * 2] = r[tile] & 0xffff;
        plain[tile * 64 + lane * 2 + 1] = r[tile] >> 16;
    }
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(from)
                 : "memory");
    for (int tile = 0; tile < 4; tile++) {
        transposed[tile * 64 + lane * 2] = r[tile] & 0xffff;
        transposed[tile * 64 + lane * 2 + 1] = r[tile] >> 16;
    }
}
