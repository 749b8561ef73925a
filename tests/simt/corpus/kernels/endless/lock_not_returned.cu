// Blocks add to a sum under a lock; the wrong twin does not return the lock when it has nothing to add.
__global__ void lock_not_returned(const int* x, int* lock, int* sum)
{
    if (threadIdx.x != 0)
        return;
    int value = x[blockIdx.x];
    while (atomicCAS(lock, 0, 1) != 0)  // WRONG: step_limit deadlock
        ;
#ifdef WRONG
    if (value == 0)
        return;
#endif
    __threadfence();
    *sum += value;
    __threadfence();
    atomicExch(lock, 0);
}
