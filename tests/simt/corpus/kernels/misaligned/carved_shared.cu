// Keys and vectors in one dynamic shared array; the wrong twin begins the vectors directly after an odd number of keys.
extern __shared__ char memory[];

__global__ void carved_shared(const int* keys, const double2* vectors, double2* sorted, int n)
{
    int* order = reinterpret_cast<int*>(memory);
#ifdef WRONG
    char* after = memory + n * sizeof(int);
#else
    char* after = memory + (n * sizeof(int) + 15) / 16 * 16;
#endif
    double2* staged = reinterpret_cast<double2*>(after);
    int t = threadIdx.x;
    if (t < n) {
        order[t] = keys[t];
        staged[t] = vectors[t];  // WRONG: misaligned
    }
    __syncthreads();
    if (t < n)
        sorted[order[t]] = staged[t];
}
