// One warp produces, two warps consume at a named barrier; one warp of the wrong twin does not arrive.
__global__ void named_barrier(const int* x, int* y)
{
    __shared__ int item[32];
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (warp == 0) {
        item[lane] = x[blockIdx.x * 32 + lane] * 3;
        asm volatile("bar.arrive 1, 96;" ::: "memory");
#ifdef WRONG
    } else if (warp == 1) {
#else
    } else {
#endif
        asm volatile("bar.sync 1, 96;" ::: "memory");  // WRONG: deadlock divergent_barrier
        y[(blockIdx.x * 2 + warp - 1) * 32 + lane] = item[31 - lane] + warp;
    }
}
