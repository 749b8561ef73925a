// Products of one tile by mma.sync for several types; fragments are read from global memory as the PTX ISA places their elements.
__global__ void mma_tf32(const float* a, const float* b, float* c)
{
    int group = threadIdx.x / 4;
    int of_group = threadIdx.x % 4;
    unsigned ra[4];
    unsigned rb[2];
    float d[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    for (int k = 0; k < 4; k++)
        ra[k] = __float_as_uint(a[(group + k % 2 * 8) * 8 + of_group + k / 2 * 4]);
    for (int k = 0; k < 2; k++)
        rb[k] = __float_as_uint(b[(of_group + 4 * k) * 8 + group]);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int k = 0; k < 4; k++)
        c[(group + k / 2 * 8) * 8 + of_group * 2 + k % 2] = d[k];
}

__global__ void mma_bf16(const unsigned short* a, const unsigned short* b, float* c)
{
    int group = threadIdx.x / 4;
    int of_group = threadIdx.x % 4;
    unsigned ra[4];
    unsigned rb[2];
    float d[4] = {};
    for (int k = 0; k < 4; k++) {
        const unsigned short* pair = a + (group + k % 2 * 8) * 16 + of_group * 2 + k / 2 * 8;
        ra[k] = pair[0] | pair[1] << 16;
    }
    for (int k = 0; k < 2; k++) {
        const unsigned short* pair = b + (of_group * 2 + 8 * k) * 8 + group;
        rb[k] = pair[0] | pair[8] << 16;
    }
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int k = 0; k < 4; k++)
        c[(group + k / 2 * 8) * 8 + of_group * 2 + k % 2] = d[k];
}

__global__ void mma_s8(const signed char* a, const unsigned char* b, int* c)
{
    int group = threadIdx.x / 4;
    int of_group = threadIdx.x % 4;
    unsigned ra[4] = {};
    unsigned rb[2] = {};
    int d[4] = {-5, 0, 5, 10};
    for (int k = 0; k < 4; k++)
        for (int byte = 0; byte < 4; byte++)
            ra[k] |= (unsigned)(unsigned char)a[(group + k % 2 * 8) * 32 + of_group * 4 + byte + k / 2 * 16] << 8 * byte;
    for (int k = 0; k < 2; k++)
        for (int byte = 0; byte < 4; byte++)
            rb[k] |= (unsigned)b[(of_group * 4 + byte + 16 * k) * 8 + group] << 8 * byte;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int k = 0; k < 4; k++)
        c[(group + k / 2 * 8) * 8 + of_group * 2 + k % 2] = d[k];
}

__global__ void mma_f64(const double* a, const double* b, double* c)
{
    int group = threadIdx.x / 4;
    int of_group = threadIdx.x % 4;
    double d[2] = {};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[group * 4 + of_group]), "d"(b[of_group * 8 + group]));
    c[group * 8 + of_group * 2] = d[0];
    c[group * 8 + of_group * 2 + 1] = d[1];
}
