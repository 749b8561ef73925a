// Softmax of rows with one pass for maximum and sum together, a warp for each row.
struct Running {
    float largest;
    float sum;
};

__device__ Running combined(Running a, Running b)
{
    float largest = fmaxf(a.largest, b.largest);
    return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
}

__global__ void online_softmax(const float* rows, float* result, int count, int length)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= count)
        return;
    int lane = threadIdx.x;
    Running running = {-1e30f, 0.0f};
    for (int i = lane; i < length; i += 32)
        running = combined(running, {rows[row * length + i], 1.0f});
    for (int step = 16; step > 0; step /= 2) {
        Running other;
        other.largest = __shfl_xor_sync(0xffffffff, running.largest, step);
        other.sum = __shfl_xor_sync(0xffffffff, running.sum, step);
        running = combined(running, other);
    }
    for (int i = lane; i < length; i += 32)
        result[row * length + i] = __expf(rows[row * length + i] - running.largest) / running.sum;
}
