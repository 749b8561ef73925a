// A chain of blocks: each waits for the one before with ld.acquire and continues with st.release, without fences.
__global__ void release_acquire(const int* x, int* chain, int* flags, int n)
{
    int block = blockIdx.x;
    int t = threadIdx.x;
    if (t == 0 && block > 0) {
        int ready;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flags + block - 1) : "memory");
        } while (!ready);
    }
    __syncthreads();
    int before = block > 0 ? chain[(block - 1) * blockDim.x + (t + 1) % blockDim.x] : 0;
    chain[block * blockDim.x + t] = before + x[t];
    __syncthreads();
    if (t == 0)
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags + block), "r"(1) : "memory");
}
