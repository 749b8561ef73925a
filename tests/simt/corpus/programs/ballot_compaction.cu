// Positive numbers kept in order by one block of several warps with ballots and population counts.
__global__ void ballot_compaction(const int* x, int* kept, int* count, int n)
{
    __shared__ int of_warps[8];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int base = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        int i = first + threadIdx.x;
        bool keep = i < n && x[i] > 0;
        unsigned votes = __ballot_sync(0xffffffff, keep);
        if (lane == 0)
            of_warps[warp] = __popc(votes);
        __syncthreads();
        int place = base + __popc(votes & ((1u << lane) - 1));
        for (int w = 0; w < blockDim.x / 32; w++) {
            if (w < warp)
                place += of_warps[w];
            base += of_warps[w];
        }
        if (keep)
            kept[place] = x[i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *count = base;
}
