// Histogram of bytes with a copy of 64 bins for each warp; equal lanes of a warp combine their counts before the atomic.
const int WARPS = 4;
const int BINS = 64;

__global__ void warp_histogram(const uchar4* pixels, unsigned* bins, int n)
{
    __shared__ unsigned copies[WARPS][BINS];
    for (int bin = threadIdx.x; bin < WARPS * BINS; bin += blockDim.x)
        copies[bin / BINS][bin % BINS] = 0;
    __syncthreads();
    int lane = threadIdx.x % 32;
    unsigned* mine = copies[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 pixel = pixels[i];
        atomicAdd(&mine[pixel.x / 4], 1u);
        atomicAdd(&mine[pixel.y / 4], 1u);
        atomicAdd(&mine[pixel.z / 4], 1u);
        unsigned active = __activemask();
        unsigned same = __match_any_sync(active, pixel.w / 4);
        if (lane == __ffs(same) - 1)
            atomicAdd(&mine[pixel.w / 4], (unsigned)__popc(same));
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        unsigned sum = 0;
        for (int warp = 0; warp < WARPS; warp++)
            sum += copies[warp][bin];
        if (sum)
            atomicAdd(&bins[bin], sum);
    }
}
