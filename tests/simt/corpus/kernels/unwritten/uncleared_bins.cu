// Histogram of each block in dynamic shared memory; the wrong twin adds to bins that were not cleared.
extern __shared__ int bins[];

__global__ void uncleared_bins(const int* values, int* histograms, int n, int count)
{
#ifndef WRONG
    for (int bin = threadIdx.x; bin < count; bin += blockDim.x)
        bins[bin] = 0;
    __syncthreads();
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[values[i]], 1);  // WRONG: unwritten_shared
    __syncthreads();
    for (int bin = threadIdx.x; bin < count; bin += blockDim.x)
        histograms[blockIdx.x * count + bin] = bins[bin];  // WRONG: unwritten_shared
}
