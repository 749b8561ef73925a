// Product of matrices by tiles: eight elements of a column in the registers of each thread, or one element.
const int TILE = 32;

template <int EACH>
__device__ void product(const float* a, const float* b, float* c, int n)
{
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y * EACH;
    int row = blockIdx.y * TILE + ty;
    int column = blockIdx.x * TILE + tx;
    float sums[EACH] = {};
    for (int first = 0; first < n; first += TILE) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            as[ty + e][tx] = a[(row + e) * n + first + tx];
            bs[ty + e][tx] = b[(first + ty + e) * n + column];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            float right = bs[k][tx];
#pragma unroll
            for (int e = 0; e < EACH; e++)
                sums[e] += as[ty + e][k] * right;
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < EACH; e++)
        c[(row + e) * n + column] = sums[e];
}

__global__ void eight_elements(const float* a, const float* b, float* c, int n)
{
    product<8>(a, b, c, n);
}

__global__ void one_element(const float* a, const float* b, float* c, int n)
{
    product<1>(a, b, c, n);
}
