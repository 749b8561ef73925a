// Even and odd threads do different work and meet; the wrong twin has a barrier in each branch.
const int BLOCK = 64;

__global__ void either_branch(const float* x, float* y)
{
    __shared__ float evens[BLOCK / 2];
    __shared__ float odds[BLOCK / 2];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float other;
    if (t % 2 == 0) {
        evens[t / 2] = 2.0f * x[i];
#ifdef WRONG
        __syncthreads();  // WRONG: divergent_barrier
        other = odds[t / 2];
#endif
    } else {
        odds[t / 2] = x[i] - 1.0f;
#ifdef WRONG
        __syncthreads();  // WRONG: divergent_barrier
        other = evens[t / 2];
#endif
    }
#ifndef WRONG
    __syncthreads();
    other = t % 2 == 0 ? odds[t / 2] : evens[t / 2];
#endif
    y[i] = other;
}
