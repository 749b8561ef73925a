// Sums of neighbouring half numbers; the wrong twin reads the pairs after the first number as half2.
#include <cuda_fp16.h>

__global__ void half_pairs(const __half* x, __half* sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n)
        return;
#ifdef WRONG
    __half2 pair = *reinterpret_cast<const __half2*>(x + i);  // WRONG: misaligned
#else
    __half2 pair = __halves2half2(x[i], x[i + 1]);
#endif
    sums[i] = __hadd(__low2half(pair), __high2half(pair));
}
