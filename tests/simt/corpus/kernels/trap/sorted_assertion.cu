// Odd-even sort of a block and an assertion that the numbers ascend; the wrong twin makes half of the rounds.
const int BLOCK = 64;

__global__ void sorted_assertion(const int* x, int* sorted)
{
    __shared__ int values[BLOCK];
    int t = threadIdx.x;
    values[t] = x[t];
    __syncthreads();
#ifdef WRONG
    for (int round = 0; round < BLOCK / 2; round++) {
#else
    for (int round = 0; round < BLOCK; round++) {
#endif
        int left = t;
        if (t % 2 == round % 2 && left + 1 < BLOCK && values[left] > values[left + 1]) {
            int larger = values[left];
            values[left] = values[left + 1];
            values[left + 1] = larger;
        }
        __syncthreads();
    }
    if (t > 0)
        assert(values[t - 1] <= values[t]);  // WRONG: assertion
    sorted[t] = values[t];
}
