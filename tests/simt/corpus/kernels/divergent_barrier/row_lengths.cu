// Sums of rows of different lengths, a thread for each row; the trip count of the wrong twin depends on the thread.
const int BLOCK = 32;

__global__ void row_lengths(const int* offsets, const int* values, int* sums, int longest)
{
    __shared__ int staged[BLOCK];
    int t = threadIdx.x;
    int first = offsets[t];
    int length = offsets[t + 1] - first;
    int sum = 0;
#ifdef WRONG
    for (int k = 0; k < length; k++) {
#else
    for (int k = 0; k < longest; k++) {
#endif
        staged[t] = k < length ? values[first + k] : 0;
        __syncthreads();  // WRONG: divergent_barrier
        sum += staged[t];
    }
    sums[t] = sum;
}
