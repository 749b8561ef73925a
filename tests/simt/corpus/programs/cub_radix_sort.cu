// Keys and values of a block sorted by CUB.
#include <cub/block/block_radix_sort.cuh>

__global__ void cub_radix_sort(const float* keys, float* sorted_keys, int* order)
{
    typedef cub::BlockRadixSort<float, 64, 4, int> Sort;
    __shared__ typename Sort::TempStorage storage;
    float key[4];
    int value[4];
    int first = blockIdx.x * 256;
    for (int k = 0; k < 4; k++) {
        value[k] = threadIdx.x * 4 + k;
        key[k] = keys[first + value[k]];
    }
    Sort(storage).SortBlockedToStriped(key, value);
    for (int k = 0; k < 4; k++) {
        sorted_keys[first + k * 64 + threadIdx.x] = key[k];
        order[first + k * 64 + threadIdx.x] = value[k];
    }
}
