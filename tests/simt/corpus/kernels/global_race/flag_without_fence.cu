// A block waits for a volatile flag and reads what another block has stored; the wrong twin has no fences.
__global__ void flag_without_fence(const int* x, int* numbers, volatile int* flag, int* reversed)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        numbers[t] = x[t] + 1;  // WRONG: global_race
#ifndef WRONG
        __threadfence();
#endif
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else {
        if (t == 0)
            while (*flag == 0)
                ;
        __syncthreads();
#ifndef WRONG
        __threadfence();
#endif
        reversed[t] = numbers[blockDim.x - 1 - t];  // WRONG: global_race
    }
}
