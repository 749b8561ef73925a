// Mean of three neighbours; the wrong twin writes into the array that its neighbours read.
__global__ void smooth_in_place(float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = x[i > 0 ? i - 1 : 0];  // WRONG: global_race
    float right = x[i + 1 < n ? i + 1 : n - 1];  // WRONG: global_race
    float mean = (left + x[i] + right) / 3.0f;  // WRONG: global_race
#ifdef WRONG
    x[i] = mean;  // WRONG: global_race
#else
    y[i] = mean;
#endif
}
