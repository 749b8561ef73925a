// Running maxima of rows, a warp for each row, and the positions of the records.
__global__ void prefix_max(const float* rows, float* maxima, int* records, int length)
{
    int lane = threadIdx.x;
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    float carried = -__int_as_float(0x7f800000);
    int count = 0;
    for (int first = 0; first < length; first += 32) {
        int column = first + lane;
        float value = column < length ? rows[row * length + column] : -__int_as_float(0x7f800000);
        float best = value;
        for (int step = 1; step < 32; step *= 2) {
            float other = __shfl_up_sync(0xffffffff, best, step);
            if (lane >= step)
                best = fmaxf(best, other);
        }
        float before = __shfl_up_sync(0xffffffff, best, 1);
        before = lane > 0 ? fmaxf(before, carried) : carried;
        best = fmaxf(best, carried);
        unsigned record = __ballot_sync(0xffffffff, value > before);
        count += __popc(record);
        if (column < length)
            maxima[row * length + column] = best;
        carried = __shfl_sync(0xffffffff, best, 31);
    }
    if (lane == 0)
        records[row] = count;
}
