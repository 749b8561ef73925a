// Rows of bfloat16 numbers scaled by their largest absolute value, rounded back to bfloat16.
#include <cuda_bf16.h>

__global__ void bfloat_rows(const __nv_bfloat16* rows, __nv_bfloat16* scaled, float* scales, int length)
{
    const __nv_bfloat16* row = rows + blockIdx.x * length;
    float largest = 0.0f;
    for (int i = threadIdx.x; i < length; i += 32)
        largest = fmaxf(largest, fabsf(__bfloat162float(row[i])));
    for (int step = 16; step > 0; step /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, step));
    __nv_bfloat16 inverse = __float2bfloat16(1.0f / largest);
    for (int i = threadIdx.x; i < length; i += 32)
        scaled[blockIdx.x * length + i] = __hmul(row[i], inverse);
    if (threadIdx.x == 0)
        scales[blockIdx.x] = largest;
}
