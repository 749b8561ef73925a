// Product of half matrices through mma.sync and ldmatrix in inline PTX; the second matrix is stored by columns.
#include <cuda_fp16.h>

__global__ void mma_matmul(const half* a, const half* b_columns, float* c, int n, int k)
{
    __shared__ __align__(16) half as[16][16];
    __shared__ __align__(16) half bs[8][16];
    int lane = threadIdx.x;
    int row = blockIdx.y * 16;
    int column = blockIdx.x * 8;
    float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int first = 0; first < k; first += 16) {
        for (int i = lane; i < 256; i += 32)
            as[i / 16][i % 16] = a[(row + i / 16) * k + first + i % 16];
        for (int i = lane; i < 128; i += 32)
            bs[i / 16][i % 16] = b_columns[(column + i / 16) * k + first + i % 16];
        __syncwarp();
        unsigned left[4];
        unsigned right[2];
        unsigned from = (unsigned)__cvta_generic_to_shared(&as[lane % 16][lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                     : "r"(from)
                     : "memory");
        from = (unsigned)__cvta_generic_to_shared(&bs[lane % 8][lane / 8 % 2 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(right[0]), "=r"(right[1])
                     : "r"(from)
                     : "memory");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
        __syncwarp();
    }
    float* target = c + (row + lane / 4) * n + column + lane % 4 * 2;
    target[0] = d[0];
    target[1] = d[1];
    target[8 * n] = d[2];
    target[8 * n + 1] = d[3];
}
