// Three transpositions of one matrix: naive, by tiles, by padded tiles with several rows for each thread.
const int TILE = 16;

__global__ void naive(const float* a, float* b, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        b[x * height + y] = a[y * width + x];
}

__global__ void tiled(const float* a, float* b, int width, int height)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = a[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        b[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded(const float* __restrict__ a, float* __restrict__ b, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
    for (int row = 0; row < TILE; row += 4)
        if (x < width && y + row < height)
            tile[threadIdx.y + row][threadIdx.x] = a[(y + row) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
    for (int row = 0; row < TILE; row += 4)
        if (x < height && y + row < width)
            b[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}
