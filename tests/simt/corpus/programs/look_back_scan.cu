// Inclusive sums in one pass with decoupled look-back: a block publishes its sum and adds up those of earlier blocks.
const int BLOCK = 64;
const int EMPTY = 0;
const int AGGREGATE = 1;
const int PREFIX = 2;

__device__ int next_tile = 0;

__global__ void look_back_scan(const int* x, int* sums, int* states, int* aggregates, int* prefixes, int n)
{
    __shared__ int values[BLOCK];
    __shared__ int tile;
    __shared__ int before;
    int t = threadIdx.x;
    if (t == 0)
        tile = atomicAdd(&next_tile, 1);
    __syncthreads();
    int i = tile * BLOCK + t;
    values[t] = i < n ? x[i] : 0;
    for (int step = 1; step < BLOCK; step *= 2) {
        __syncthreads();
        int other = t >= step ? values[t - step] : 0;
        __syncthreads();
        values[t] += other;
    }
    __syncthreads();
    if (t == 0) {
        int total = values[BLOCK - 1];
        aggregates[tile] = total;
        __threadfence();
        atomicExch(&states[tile], AGGREGATE);
        int sum = 0;
        for (int earlier = tile - 1; earlier >= 0; earlier--) {
            int state;
            do {
                state = atomicAdd(&states[earlier], 0);
            } while (state == EMPTY);
            __threadfence();
            if (state == PREFIX) {
                sum += prefixes[earlier];
                break;
            }
            sum += aggregates[earlier];
        }
        prefixes[tile] = sum + total;
        __threadfence();
        atomicExch(&states[tile], PREFIX);
        before = sum;
    }
    __syncthreads();
    if (i < n)
        sums[i] = before + values[t];
}
