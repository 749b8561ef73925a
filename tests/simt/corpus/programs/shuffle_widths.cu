// Shuffles within groups of 4, 8 and 16 lanes, beyond their ends, with sources that wrap, and of 64-bit values.
__global__ void shuffle_widths(const int* x, int* results, double* wide)
{
    int lane = threadIdx.x % 32;
    int base = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32;
    int value = x[base + lane];
    const unsigned all = 0xffffffff;
    int* row = results + base * 8 + lane;
    row[0] = __shfl_sync(all, value, lane + 1, 4);
    row[32] = __shfl_sync(all, value, 37);
    row[64] = __shfl_up_sync(all, value, 3, 8);
    row[96] = __shfl_down_sync(all, value, 5, 16);
    row[128] = __shfl_xor_sync(all, value, 9, 8);
    row[160] = __match_any_sync(all, value % 4);
    int same;
    row[192] = __match_all_sync(all, lane < 32, &same) + same;
    row[224] = __reduce_max_sync(all, value) ^ __reduce_xor_sync(all, value);
    wide[base + lane] = __shfl_down_sync(all, 0.5 * value, 7);
}
