// Product of two matrices by tiles in shared memory.
const int TILE = 16;

__global__ void tiled_matmul(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        int i = first + threadIdx.x;
        int j = first + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && i < k ? a[row * k + i] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = column < n && j < k ? b[j * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += as[threadIdx.y][l] * bs[l][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
