// One thread waits by polling an mbarrier object until the others have stored their numbers; inline PTX.
__global__ void mbarrier_pipeline(const int* x, int* sums, int rounds)
{
    __shared__ int values[64];
    __shared__ __align__(8) unsigned long long filled;
    unsigned at = (unsigned)__cvta_generic_to_shared(&filled);
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        values[t] = x[round * 64 + t];
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
        if (t == 0) {
            unsigned done = 0;
            while (!done)
                asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done)
                             : "r"(at), "r"(round & 1)
                             : "memory");
            int sum = 0;
            for (int k = 0; k < 64; k++)
                sum += values[k];
            sums[round] = sum;
        }
        __syncthreads();
    }
}
