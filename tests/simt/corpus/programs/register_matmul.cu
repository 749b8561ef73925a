// Product of two matrices with four by four elements in the registers of each thread.
const int TILE = 32;
const int DEPTH = 8;
const int EACH = 4;

__global__ void register_matmul(const float* __restrict__ a, const float* __restrict__ b, float* c, int m, int n, int k)
{
    __shared__ float as[DEPTH][TILE + 4];
    __shared__ float4 bs[DEPTH][TILE / 4];
    int tx = threadIdx.x % (TILE / EACH);
    int ty = threadIdx.x / (TILE / EACH);
    int row = blockIdx.y * TILE;
    int column = blockIdx.x * TILE;
    float sums[EACH][EACH] = {};
    for (int first = 0; first < k; first += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH; i += blockDim.x)
            as[i % DEPTH][i / DEPTH] = a[(row + i / DEPTH) * k + first + i % DEPTH];
        bs[threadIdx.x / 8][threadIdx.x % 8] = *reinterpret_cast<const float4*>(b + (first + threadIdx.x / 8) * n + column + threadIdx.x % 8 * 4);
        __syncthreads();
#pragma unroll
        for (int l = 0; l < DEPTH; l++) {
            float left[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++)
                left[i] = as[l][ty * EACH + i];
            float4 right = bs[l][tx];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                sums[i][0] += left[i] * right.x;
                sums[i][1] += left[i] * right.y;
                sums[i][2] += left[i] * right.z;
                sums[i][3] += left[i] * right.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++)
            c[(row + ty * EACH + i) * n + column + tx * EACH + j] = sums[i][j];
}
