// Points inside a quarter of a circle, with a generator of 64 bits for each thread.
__device__ unsigned long long xorshift(unsigned long long& state)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

__device__ float uniform(unsigned long long& state)
{
    return (xorshift(state) >> 40) * 0x1p-24f;
}

__global__ void monte_carlo(const unsigned long long* seeds, unsigned long long* states, unsigned* hits, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long state = seeds[i];
    unsigned mine = 0;
    for (int sample = 0; sample < samples; sample++) {
        float x = uniform(state);
        float y = uniform(state);
        if (__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) < 1.0f)
            mine++;
    }
    states[i] = state;
    mine = __reduce_add_sync(0xffffffff, mine);
    if (threadIdx.x % 32 == 0)
        atomicAdd(hits, mine);
}
