// The largest index of each bucket; in the wrong twin threads of one bucket store different indices.
__global__ void bucket_leader(const int* buckets, int* leaders, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef WRONG
        leaders[buckets[i]] = i;  // WRONG: global_race
#else
        atomicMax(&leaders[buckets[i]], i);
#endif
    }
}
