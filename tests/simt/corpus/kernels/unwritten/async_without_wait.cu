// A tile copied by cp.async and reversed; the wrong twin does not wait for the copy.
const int BLOCK = 64;

__global__ void async_without_wait(const int* x, int* reversed)
{
    __shared__ int tile[BLOCK];
    int t = threadIdx.x;
    unsigned target = (unsigned)__cvta_generic_to_shared(&tile[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(target), "l"(x + blockIdx.x * BLOCK + t) : "memory");  // also: shared_race
    asm volatile("cp.async.commit_group;" ::: "memory");
#ifndef WRONG
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
    __syncthreads();
    reversed[blockIdx.x * BLOCK + t] = tile[BLOCK - 1 - t];  // WRONG: unwritten_shared shared_race
}
