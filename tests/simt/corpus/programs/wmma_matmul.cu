// Product of half matrices with float sums on tensor cores through wmma, a warp for each tile of 16 by 16.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void wmma_matmul(const half* a, const half* b, float* c, int n, int k)
{
    int row = blockIdx.y * 16;
    int column = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int first = 0; first < k; first += 16) {
        wmma::load_matrix_sync(left, a + row * k + first, k);
        wmma::load_matrix_sync(right, b + first * n + column, n);
        wmma::mma_sync(sums, left, right, sums);
    }
    for (int i = 0; i < sums.num_elements; i++)
        sums.x[i] *= 0.5f;
    wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
}
