// Points inside a circle kept in order: flags, exclusive sums of each block, the total of earlier blocks, scatter.
const int BLOCK = 64;

__device__ bool inside(float2 p)
{
    return p.x * p.x + p.y * p.y < 1.0f;
}

__global__ void count_inside(const float2* points, int* counts, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int count = __syncthreads_count(i < n && inside(points[i]));
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

__global__ void scatter_inside(const float2* points, const int* counts, float2* kept, int* total, int n)
{
    __shared__ int places[2][BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float2 point = i < n ? points[i] : make_float2(2.0f, 2.0f);
    bool keep = inside(point);
    places[0][t] = keep;
    __syncthreads();
    int from = 0;
    for (int step = 1; step < BLOCK; step *= 2) {
        places[1 - from][t] = places[from][t] + (t >= step ? places[from][t - step] : 0);
        from = 1 - from;
        __syncthreads();
    }
    int base = 0;
    for (int block = 0; block < blockIdx.x; block++)
        base += counts[block];
    if (keep)
        kept[base + places[from][t] - 1] = point;
    if (blockIdx.x == gridDim.x - 1 && t == BLOCK - 1)
        *total = base + places[from][t];
}
