// Sums of warps in shared memory; the wrong twin relies on lockstep instead of __syncwarp.
__global__ void warp_synchronous(const int* x, int* sums)
{
    __shared__ int partial[64];
    int t = threadIdx.x;
    int lane = t % 32;
    partial[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 16; half > 0; half /= 2) {
        int other = lane < half ? partial[t + half] : 0;  // WRONG: shared_race
#ifndef WRONG
        __syncwarp();
#endif
        partial[t] += other;  // WRONG: shared_race
#ifndef WRONG
        __syncwarp();
#endif
    }
    if (lane == 0)
        sums[(blockIdx.x * 64 + t) / 32] = partial[t];
}
