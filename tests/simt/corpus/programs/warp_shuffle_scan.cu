// Inclusive sums of a block: each warp scans by shuffles, the first warp scans the sums of the warps.
__device__ double warp_scan(double value, int lane)
{
    for (int step = 1; step < 32; step *= 2) {
        double other = __shfl_up_sync(0xffffffff, value, step);
        if (lane >= step)
            value += other;
    }
    return value;
}

__global__ void warp_shuffle_scan(const double* x, double* sums, int n)
{
    __shared__ double of_warps[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    double value = warp_scan(i < n ? x[i] : 0.0, lane);
    if (lane == 31)
        of_warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        double total = lane < blockDim.x / 32 ? of_warps[lane] : 0.0;
        of_warps[lane] = warp_scan(total, lane);
    }
    __syncthreads();
    if (warp > 0)
        value += of_warps[warp - 1];
    if (i < n)
        sums[i] = value;
}
