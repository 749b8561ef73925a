// A step of the heat equation with a halo in shared memory; the wrong twin has no barrier after the tile is filled.
const int BLOCK = 64;

__global__ void heat_stencil(const float* u, float* next, float alpha, int n)
{
    __shared__ float s[BLOCK + 2];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int t = threadIdx.x + 1;
    s[t] = i < n ? u[i] : 0.0f;  // WRONG: shared_race
    if (threadIdx.x == 0)
        s[0] = i > 0 ? u[i - 1] : u[0];
    if (threadIdx.x == BLOCK - 1)
        s[BLOCK + 1] = i + 1 < n ? u[i + 1] : u[n - 1];  // WRONG: shared_race
#ifndef WRONG
    __syncthreads();
#endif
    if (i < n) {
        float right = i + 1 < n ? s[t + 1] : u[n - 1];  // WRONG: shared_race, also: unwritten_shared
        next[i] = s[t] + alpha * (s[t - 1] - 2.0f * s[t] + right);  // WRONG: shared_race, also: unwritten_shared
    }
}
