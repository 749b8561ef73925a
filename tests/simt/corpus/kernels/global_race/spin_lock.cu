// Blocks update two numbers under a lock; the wrong twin takes and returns the lock without fences.
__global__ void spin_lock(const int* x, int* lock, int* account, int n)
{
    if (threadIdx.x != 0)
        return;
    int first = blockIdx.x * blockDim.x;
    int sum = 0;
    for (int i = first; i < first + (int)blockDim.x && i < n; i++)
        sum += x[i];
    while (atomicCAS(lock, 0, 1) != 0)
        ;
#ifndef WRONG
    __threadfence();
#endif
    account[0] += sum;  // WRONG: global_race
    account[1] += 1;  // WRONG: global_race
#ifndef WRONG
    __threadfence();
#endif
    atomicExch(lock, 0);
}
