// Averages of 64-bit totals; the wrong twin has no case for a weight of zero.
__global__ void wide_average(const long long* totals, const long long* weights, long long* averages, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#ifndef WRONG
    if (weights[i] == 0) {
        averages[i] = 0;
        return;
    }
#endif
    averages[i] = totals[i] / weights[i];  // WRONG: divided_by_zero
}
