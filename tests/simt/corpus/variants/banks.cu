// Transposition by tiles of shared memory, rows with a padding element or without.
const int TILE = 32;

template <int PITCH>
__device__ void transposed(const float* a, float* b, int n)
{
    __shared__ float tile[TILE][PITCH];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += 8)
        tile[threadIdx.y + row][threadIdx.x] = a[(y + row) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += 8)
        b[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

__global__ void padded(const float* a, float* b, int n)
{
    transposed<TILE + 1>(a, b, n);
}

__global__ void conflicting(const float* a, float* b, int n)
{
    transposed<TILE>(a, b, n);
}
