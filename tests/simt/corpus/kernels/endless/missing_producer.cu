// Block 0 publishes a table entry by entry, the other blocks wait for their own; one entry of the wrong twin is missing.
__global__ void missing_producer(const int* x, int* table, int* ready, int* y)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
#ifdef WRONG
        for (int k = 1; k < (int)gridDim.x - 1; k++) {
#else
        for (int k = 1; k < (int)gridDim.x; k++) {
#endif
            table[k] = 7 * x[k];
            __threadfence();
            atomicExch(&ready[k], 1);
        }
    } else {
        while (atomicAdd(&ready[blockIdx.x], 0) == 0)  // WRONG: step_limit deadlock
            ;
        __threadfence();
        y[blockIdx.x] = table[blockIdx.x];
    }
}
