// Products by wmma with other shapes, types and layouts: 32 by 8 of halves stored by columns, and 16 by 16 of bytes.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void tall_halves(const half* a_columns, const half* b_columns, half* c_columns)
{
    wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> left;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 32, 8, 16, half> sums;
    wmma::load_matrix_sync(sums, c_columns, 32, wmma::mem_col_major);
    wmma::load_matrix_sync(left, a_columns, 32);
    wmma::load_matrix_sync(right, b_columns, 16);
    wmma::mma_sync(sums, left, right, sums);
    wmma::store_matrix_sync(c_columns, sums, 32, wmma::mem_col_major);
}

__global__ void bytes(const signed char* a, const signed char* b_columns, int* c)
{
    __shared__ __align__(32) signed char shared[256];
    for (int i = threadIdx.x; i < 256; i += 32)
        shared[i] = a[i];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sums;
    wmma::fill_fragment(sums, 7);
    wmma::load_matrix_sync(left, shared, 16);
    wmma::load_matrix_sync(right, b_columns, 16);
    wmma::mma_sync(sums, left, right, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}
