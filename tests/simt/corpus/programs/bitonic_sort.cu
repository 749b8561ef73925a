// Bitonic sort of rows in shared memory, the even rows ascending and the odd rows descending.
extern __shared__ float values[];

__global__ void bitonic_sort(float* rows, int length)
{
    bool descending = blockIdx.x % 2;
    float* row = rows + blockIdx.x * length;
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        values[i] = row[i];
    for (int size = 2; size <= length; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (int pair = threadIdx.x; pair < length / 2; pair += blockDim.x) {
                int low = 2 * pair - (pair & (step - 1));
                int high = low + step;
                bool up = ((low & size) == 0) != descending;
                float a = values[low];
                float b = values[high];
                if ((a > b) == up) {
                    values[low] = b;
                    values[high] = a;
                }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < length; i += blockDim.x)
        row[i] = values[i];
}
