// Exclusive sums of blocks of 256 numbers by CUB, four numbers for each thread.
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

__global__ void cub_block_scan(const int* x, int* sums, int* totals)
{
    typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } storage;
    int items[4];
    int total;
    Load(storage.load).Load(x + blockIdx.x * 256, items);
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(items, items, total);
    __syncthreads();
    Store(storage.store).Store(sums + blockIdx.x * 256, items);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}
