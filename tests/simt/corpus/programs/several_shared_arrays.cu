// Weighted means by keys: three arrays of different types in one dynamic shared allocation.
extern __shared__ double carved[];

__global__ void several_shared_arrays(const double* values, const short* keys, double* means, int n, int groups)
{
    double* sums = carved;
    int* counts = reinterpret_cast<int*>(sums + groups);
    short* own = reinterpret_cast<short*>(counts + groups);
    int t = threadIdx.x;
    for (int group = t; group < groups; group += blockDim.x) {
        sums[group] = 0.0;
        counts[group] = 0;
    }
    int i = blockIdx.x * blockDim.x + t;
    own[t] = i < n ? keys[i] : -1;
    __syncthreads();
    if (own[t] >= 0) {
        atomicAdd(&sums[own[t]], values[i]);
        atomicAdd(&counts[own[t]], 1);
    }
    __syncthreads();
    for (int group = t; group < groups; group += blockDim.x)
        means[blockIdx.x * groups + group] = counts[group] ? sums[group] / counts[group] : 0.0;
}
