// a x + y and dot products in half precision, two numbers at a time.
#include <cuda_fp16.h>

__global__ void half_axpy(__half a, const __half2* x, __half2* y, float* dot, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float product = 0.0f;
    if (i < n) {
        __half2 result = __hfma2(__half2half2(a), x[i], y[i]);
        y[i] = __hmax2(result, __float2half2_rn(0.0f));
        float2 wide = __half22float2(__hmul2(x[i], x[i]));
        product = wide.x + wide.y;
    }
    for (int step = 16; step > 0; step /= 2)
        product += __shfl_down_sync(0xffffffff, product, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(dot, product);
}
