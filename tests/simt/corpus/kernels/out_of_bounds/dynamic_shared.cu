// Reversed segments by dynamic shared memory with room for floats; the wrong twin keeps doubles there.
#ifdef WRONG
typedef double Element;
#else
typedef float Element;
#endif

extern __shared__ char memory[];

__global__ void dynamic_shared(const float* x, float* reversed, int n)
{
    Element* segment = reinterpret_cast<Element*>(memory);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    segment[t] = i < n ? x[i] : 0.0f;  // WRONG: out_of_bounds
    __syncthreads();
    if (i < n)
        reversed[i] = segment[blockDim.x - 1 - t];
}
