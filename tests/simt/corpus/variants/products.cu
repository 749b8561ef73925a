// Product of square matrices: tiles in shared memory, or rows and columns from global memory.
const int TILE = 16;

__global__ void tiled(const float* a, const float* b, float* c, int n)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        as[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void direct(const float* a, const float* b, float* c, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
