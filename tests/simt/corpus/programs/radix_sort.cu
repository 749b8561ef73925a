// Stable radix sort of a block, one bit at a time: ballots count the zeros before each thread.
const int BLOCK = 128;
const int WARPS = BLOCK / 32;

__global__ void radix_sort(const unsigned* x, unsigned* sorted, unsigned short* order, int bits)
{
    __shared__ unsigned keys[BLOCK];
    __shared__ unsigned short places[BLOCK];
    __shared__ int zeros[WARPS];
    int t = threadIdx.x;
    int lane = t % 32;
    int warp = t / 32;
    keys[t] = x[blockIdx.x * BLOCK + t];
    places[t] = t;
    for (int bit = 0; bit < bits; bit++) {
        __syncthreads();
        unsigned key = keys[t];
        unsigned short place = places[t];
        bool one = key >> bit & 1;
        unsigned is_zero = __ballot_sync(0xffffffff, !one);
        if (lane == 0)
            zeros[warp] = __popc(is_zero);
        __syncthreads();
        int before = __popc(is_zero & ((1u << lane) - 1));
        int all = 0;
        for (int w = 0; w < WARPS; w++) {
            if (w < warp)
                before += zeros[w];
            all += zeros[w];
        }
        int target = one ? all + t - before : before;
        keys[target] = key;
        places[target] = place;
    }
    __syncthreads();
    sorted[blockIdx.x * BLOCK + t] = keys[t];
    order[blockIdx.x * BLOCK + t] = places[t];
}
