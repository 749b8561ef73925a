// Weighted sums of seven neighbours with periodic ends, several steps in one block.
const int BLOCK = 96;
const int RADIUS = 3;

__global__ void stencil_1d(const float* x, float* y, int steps)
{
    __shared__ float line[BLOCK + 2 * RADIUS];
    int t = threadIdx.x;
    float value = x[t];
    for (int step = 0; step < steps; step++) {
        line[t + RADIUS] = value;
        if (t < RADIUS)
            line[t + RADIUS + BLOCK] = value;
        if (t >= BLOCK - RADIUS)
            line[t - (BLOCK - RADIUS)] = value;
        __syncthreads();
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += line[t + RADIUS + k] * (RADIUS + 1 - (k < 0 ? -k : k));
        value = sum / 16.0f;
        __syncthreads();
    }
    y[t] = value;
}
