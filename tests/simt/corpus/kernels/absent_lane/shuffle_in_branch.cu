// Sum of a row by one warp; the wrong twin shuffles with a full mask where only the lanes inside the row are.
__global__ void shuffle_in_branch(const float* rows, float* sums, int length)
{
    const float* row = rows + blockIdx.x * length;
    int lane = threadIdx.x;
    float sum = 0.0f;
#ifdef WRONG
    if (lane < length) {
        sum = row[lane];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, step);  // WRONG: absent_lane
    }
#else
    if (lane < length)
        sum = row[lane];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
#endif
    if (lane == 0)
        sums[blockIdx.x] = sum;
}
