// Histogram with one copy for each block; the wrong twin counts before all bins are zero.
const int BINS = 256;

__global__ void privatized_histogram(const unsigned char* bytes, unsigned* bins, int n)
{
    __shared__ unsigned counts[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        counts[bin] = 0;  // WRONG: shared_race
#ifndef WRONG
    __syncthreads();
#endif
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[bytes[i]], 1u);  // WRONG: shared_race, also: unwritten_shared
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        atomicAdd(&bins[bin], counts[bin]);
}
