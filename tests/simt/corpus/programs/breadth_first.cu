// Breadth-first search of a graph by one block: a queue in global memory, levels set by compare-and-swap.
__global__ void breadth_first(const int* offsets, const int* neighbours, int* levels, int* queue, int* reached, int start)
{
    __shared__ int tail;
    int t = threadIdx.x;
    if (t == 0) {
        levels[start] = 0;
        queue[0] = start;
        tail = 1;
    }
    __syncthreads();
    int first = 0;
    int last = 1;
    for (int level = 1; first < last; level++) {
        for (int k = first + t; k < last; k += blockDim.x) {
            int node = queue[k];
            for (int e = offsets[node]; e < offsets[node + 1]; e++) {
                int other = neighbours[e];
                if (atomicCAS(&levels[other], -1, level) == -1)
                    queue[atomicAdd(&tail, 1)] = other;
            }
        }
        __syncthreads();
        first = last;
        last = tail;
        __syncthreads();
    }
    if (t == 0)
        *reached = last;
}
