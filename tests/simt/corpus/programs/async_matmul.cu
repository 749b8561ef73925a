// Product of two matrices with two buffers that cp.async fills one step ahead.
const int TILE = 16;

__device__ void copy_async(float* shared, const float* global)
{
    unsigned target = (unsigned)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(target), "l"(global) : "memory");
}

__global__ void async_matmul(const float* a, const float* b, float* c, int n, int k)
{
    __shared__ float as[2][TILE][TILE];
    __shared__ float bs[2][TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    int steps = k / TILE;
    float sum = 0.0f;
    copy_async(&as[0][ty][tx], &a[row * k + tx]);
    copy_async(&bs[0][ty][tx], &b[ty * n + column]);
    asm volatile("cp.async.commit_group;" ::: "memory");
    for (int step = 0; step < steps; step++) {
        int current = step % 2;
        if (step + 1 < steps) {
            int first = (step + 1) * TILE;
            copy_async(&as[1 - current][ty][tx], &a[row * k + first + tx]);
            copy_async(&bs[1 - current][ty][tx], &b[(first + ty) * n + column]);
            asm volatile("cp.async.commit_group;" ::: "memory");
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncthreads();
        for (int l = 0; l < TILE; l++)
            sum += as[current][ty][l] * bs[current][l][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
