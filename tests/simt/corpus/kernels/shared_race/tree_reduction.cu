// Sum of each block by a tree in shared memory; the wrong twin has no barrier between two levels of the tree.
__global__ void tree_reduction(const float* x, float* sums, int n)
{
    __shared__ float partial[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];  // WRONG: shared_race
#ifndef WRONG
        __syncthreads();
#endif
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}
