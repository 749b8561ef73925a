// Softmax of rows in three passes: maximum, sum of exponentials, quotients.
const int BLOCK = 64;

template <class Combine>
__device__ float block_reduce(float value, Combine combine)
{
    __shared__ float partial[BLOCK];
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] = combine(partial[threadIdx.x], partial[threadIdx.x + half]);
        __syncthreads();
    }
    float result = partial[0];
    __syncthreads();
    return result;
}

__global__ void three_pass_softmax(const float* rows, float* result, int length)
{
    const float* row = rows + blockIdx.x * length;
    float largest = -3e38f;
    for (int i = threadIdx.x; i < length; i += BLOCK)
        largest = fmaxf(largest, row[i]);
    largest = block_reduce(largest, [](float a, float b) { return fmaxf(a, b); });
    float sum = 0.0f;
    for (int i = threadIdx.x; i < length; i += BLOCK)
        sum += expf(row[i] - largest);
    sum = block_reduce(sum, [](float a, float b) { return a + b; });
    for (int i = threadIdx.x; i < length; i += BLOCK)
        result[blockIdx.x * length + i] = expf(row[i] - largest) / sum;
}
