// Exclusive sums of blocks after Blelloch, with padding against bank conflicts, and the addition of the sums of earlier blocks.
const int COUNT = 256;
#define PADDED(i) ((i) + ((i) >> 5))

__global__ void scan_blocks(const int* x, int* sums, int* totals)
{
    __shared__ int tree[COUNT + COUNT / 32];
    int t = threadIdx.x;
    int base = blockIdx.x * COUNT;
    tree[PADDED(2 * t)] = x[base + 2 * t];
    tree[PADDED(2 * t + 1)] = x[base + 2 * t + 1];
    int offset = 1;
    for (int nodes = COUNT >> 1; nodes > 0; nodes >>= 1) {
        __syncthreads();
        if (t < nodes)
            tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0) {
        totals[blockIdx.x] = tree[PADDED(COUNT - 1)];
        tree[PADDED(COUNT - 1)] = 0;
    }
    for (int nodes = 1; nodes < COUNT; nodes *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < nodes) {
            int left = PADDED(offset * (2 * t + 1) - 1);
            int right = PADDED(offset * (2 * t + 2) - 1);
            int value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    sums[base + 2 * t] = tree[PADDED(2 * t)];
    sums[base + 2 * t + 1] = tree[PADDED(2 * t + 1)];
}

__global__ void add_totals(int* sums, const int* totals)
{
    int before = 0;
    for (int block = 0; block < blockIdx.x; block++)
        before += totals[block];
    for (int k = threadIdx.x; k < COUNT; k += blockDim.x)
        sums[blockIdx.x * COUNT + k] += before;
}
