// Steps of Collatz sequences and whether all lanes are done; in the wrong twin lanes leave the loop at different times.
__global__ void collatz_votes(const unsigned* starts, int* steps, int* rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = starts[i];
    int count = 0;
    int round = 0;
#ifdef WRONG
    while (x != 1) {
        if (__any_sync(0xffffffff, x % 2 == 0))  // WRONG: absent_lane
            round++;
        x = x % 2 ? 3 * x + 1 : x / 2;
        count++;
    }
#else
    while (__any_sync(0xffffffff, x != 1)) {
        round++;
        if (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            count++;
        }
    }
#endif
    steps[i] = count;
    if (threadIdx.x % 32 == 0)
        rounds[i / 32] = round;
}
