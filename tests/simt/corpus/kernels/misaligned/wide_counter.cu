// Counters of 64 bits behind a header; the header of the wrong twin is four bytes long.
#ifdef WRONG
const int HEADER = 1;
#else
const int HEADER = 2;
#endif

__global__ void wide_counter(const int* events, unsigned* table, int n)
{
    unsigned long long* counters = reinterpret_cast<unsigned long long*>(table + HEADER);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counters[events[i]], 0x100000001ull);  // WRONG: misaligned
}
