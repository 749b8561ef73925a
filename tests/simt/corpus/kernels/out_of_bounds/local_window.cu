// Medians of windows that each thread sorts in a local array; the wrong twin inserts one element too many.
const int WINDOW = 5;

__global__ void local_window(const int* x, int* medians, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + WINDOW > n)
        return;
    int window[WINDOW];
    int count = 0;
#pragma unroll 1
#ifdef WRONG
    for (int k = 0; k <= WINDOW && i + k < n; k++) {
#else
    for (int k = 0; k < WINDOW && i + k < n; k++) {
#endif
        int value = x[i + k];
        int place = count++;
        while (place > 0 && window[place - 1] > value) {
            window[place] = window[place - 1];  // WRONG: out_of_bounds
            place--;
        }
        window[place] = value;  // WRONG: out_of_bounds
    }
    medians[i] = window[WINDOW / 2];
}
