// A warp fills two buffers in turn and another empties them, synchronized by named barriers in inline PTX.
__device__ void arrive(int barrier)
{
    asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
}

__device__ void wait(int barrier)
{
    asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}

__global__ void producer_consumer(const int* x, int* y, int rounds)
{
    __shared__ int buffers[2][32];
    const int full = 1;
    const int empty = 3;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (warp == 0) {
        for (int round = 0; round < rounds; round++) {
            int which = round % 2;
            if (round >= 2)
                wait(empty + which);
            buffers[which][lane] = x[round * 32 + lane] * x[round * 32 + lane];
            arrive(full + which);
        }
    } else {
        int carried = 0;
        for (int round = 0; round < rounds; round++) {
            int which = round % 2;
            wait(full + which);
            carried += buffers[which][31 - lane];
            y[round * 32 + lane] = carried;
            if (round + 2 < rounds)
                arrive(empty + which);
        }
    }
}
