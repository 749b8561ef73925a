// Largest element of each block of 100 threads by a tree of 128 leaves; the wrong twin leaves 28 leaves unwritten.
const int LEAVES = 128;

__global__ void padded_tree(const int* x, int* largest, int n)
{
    __shared__ int leaves[LEAVES];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
#ifndef WRONG
    if (t + blockDim.x < LEAVES)
        leaves[t + blockDim.x] = -2147483647 - 1;
#endif
    leaves[t] = i < n ? x[i] : -2147483647 - 1;
    __syncthreads();
    for (int half = LEAVES / 2; half > 0; half /= 2) {
        if (t < half)
            leaves[t] = max(leaves[t], leaves[t + half]);  // WRONG: unwritten_shared
        __syncthreads();
    }
    if (t == 0)
        largest[blockIdx.x] = leaves[0];
}
