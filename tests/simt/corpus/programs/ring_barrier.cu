// Numbers travel around a ring of blocks, which meet at a barrier of their own after each step.
__device__ unsigned generation = 0;
__device__ unsigned waiting = 0;

__device__ void meet(unsigned blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        unsigned before = atomicAdd(&generation, 0u);
        if (atomicAdd(&waiting, 1u) == blocks - 1) {
            atomicExch(&waiting, 0u);
            __threadfence();
            atomicAdd(&generation, 1u);
        } else {
            while (atomicAdd(&generation, 0u) == before)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void ring_barrier(int* a, int* b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = gridDim.x * blockDim.x;
    int* from = a;
    int* to = b;
    for (int step = 0; step < steps; step++) {
        to[i] = from[(i + blockDim.x + 1) % n] + 1;
        meet(gridDim.x);
        int* held = from;
        from = to;
        to = held;
    }
}
