// Differences of positions in three arrays; the wrong twin has no test for the last block, which is not full.
struct Particles {
    const float* x;
    const float* y;
    float* distance;
    int count;
};

__global__ void partial_block(const float* x, const float* y, float* distance, int count)
{
    Particles p = {x, y, distance, count};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef WRONG
    if (i >= p.count)
        return;
#endif
    float dx = p.x[i];  // WRONG: out_of_bounds
    float dy = p.y[i];
    p.distance[i] = sqrtf(dx * dx + dy * dy);
}
