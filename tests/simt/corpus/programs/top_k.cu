// The largest eight numbers of each row: threads keep sorted lists, which are merged in pairs in shared memory.
const int K = 8;
const int BLOCK = 32;

__device__ void insert(float* list, float value)
{
    if (value <= list[K - 1])
        return;
    int place = K - 1;
    while (place > 0 && list[place - 1] < value) {
        list[place] = list[place - 1];
        place--;
    }
    list[place] = value;
}

__global__ void top_k(const float* rows, float* largest, int length)
{
    __shared__ float lists[BLOCK][K];
    int t = threadIdx.x;
    float mine[K];
    for (int k = 0; k < K; k++)
        mine[k] = -3e38f;
    for (int i = t; i < length; i += BLOCK)
        insert(mine, rows[blockIdx.x * length + i]);
    for (int k = 0; k < K; k++)
        lists[t][k] = mine[k];
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            float merged[K];
            int i = 0;
            int j = 0;
            for (int k = 0; k < K; k++)
                merged[k] = lists[t][i] >= lists[t + half][j] ? lists[t][i++] : lists[t + half][j++];
            for (int k = 0; k < K; k++)
                lists[t][k] = merged[k];
        }
    }
    __syncthreads();
    if (t < K)
        largest[blockIdx.x * K + t] = lists[0][t];
}
