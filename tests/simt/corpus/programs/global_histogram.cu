// Histogram of floats by atomics in global memory, with counts of what lies below and above.
__global__ void global_histogram(const float* x, int* bins, int count, float low, float high, int* outside, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float place = (x[i] - low) / (high - low) * count;
        int bin = (int)floorf(place);
        if (bin < 0)
            atomicAdd(&outside[0], 1);
        else if (bin >= count)
            atomicAdd(&outside[1], 1);
        else
            atomicAdd(&bins[bin], 1);
    }
}
