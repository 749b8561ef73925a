// Entries prepended to linked lists under one lock for each list; every thread takes a lock, also within a warp.
__device__ void lock(int* mutex)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        __nanosleep(20);
    __threadfence();
}

__device__ void unlock(int* mutex)
{
    __threadfence();
    atomicExch(mutex, 0);
}

__global__ void mutex_list(const int* keys, int* mutexes, int* heads, int* next, int* lengths, int lists, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int list = keys[i] % lists;
    lock(&mutexes[list]);
    next[i] = heads[list];
    heads[list] = i;
    lengths[list] = lengths[list] + 1;
    unlock(&mutexes[list]);
}

__global__ void list_sums(const int* keys, const int* heads, const int* next, int* sums, int lists)
{
    int list = threadIdx.x;
    if (list >= lists)
        return;
    int sum = 0;
    for (int i = heads[list]; i >= 0; i = next[i])
        sum += keys[i];
    sums[list] = sum;
}
