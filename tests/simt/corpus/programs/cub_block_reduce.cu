// Sums and maxima of blocks by CUB.
#include <cub/block/block_reduce.cuh>

struct Larger {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

__global__ void cub_block_reduce(const float* x, float* sums, float* maxima, int n)
{
    typedef cub::BlockReduce<float, 128> Reduce;
    typedef cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING> RakingReduce;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ typename RakingReduce::TempStorage raking_storage;
    int i = blockIdx.x * 128 + threadIdx.x;
    float value = i < n ? x[i] : 0.0f;
    float sum = Reduce(storage).Sum(value);
    float largest = RakingReduce(raking_storage).Reduce(value, Larger());
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        maxima[blockIdx.x] = largest;
    }
}
