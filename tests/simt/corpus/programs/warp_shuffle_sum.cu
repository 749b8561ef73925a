// Sum of an array by warp shuffles, a shared array with one sum for each warp and one atomic for each block.
__inline__ __device__ float warp_sum(float value)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__inline__ __device__ float block_sum(float value)
{
    __shared__ float of_warps[32];
    int lane = threadIdx.x % warpSize;
    int warp = threadIdx.x / warpSize;
    value = warp_sum(value);
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? of_warps[lane] : 0.0f;
    if (warp == 0)
        value = warp_sum(value);
    return value;
}

__global__ void warp_shuffle_sum(const float4* x, float* total, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
        float4 four = x[i];
        sum += four.x + four.y + four.z + four.w;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}
