// Positions of the positive numbers of a warp; the wrong twin takes the ballot where only some lanes are.
__global__ void ballot_in_branch(const int* x, int* positions, int* counts)
{
    int lane = threadIdx.x;
    int i = blockIdx.x * 32 + lane;
    int value = x[i];
    unsigned below = (1u << lane) - 1;
#ifdef WRONG
    if (value > 0) {
        unsigned positive = __ballot_sync(0xffffffff, value > 0);  // WRONG: absent_lane
        positions[i] = __popc(positive & below);
    }
    if (lane == 0)
        counts[blockIdx.x] = 0;
#else
    unsigned positive = __ballot_sync(0xffffffff, value > 0);
    if (value > 0)
        positions[i] = __popc(positive & below);
    if (lane == 0)
        counts[blockIdx.x] = __popc(positive);
#endif
}
