// All atomic operations of CUDA on integers and floats, in global and in shared memory, and in the scope of a block.
__global__ void atomic_operations(const int* x, int* integers, unsigned* wraps, float* floats, double* doubles, long long* longs, int n)
{
    __shared__ int local[4];
    if (threadIdx.x < 4)
        local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int value = x[i];
        atomicAdd(&integers[0], value);
        atomicSub(&integers[1], value);
        atomicMin(&integers[2], value);
        atomicMax(&integers[3], value);
        atomicAnd(&integers[4], value);
        atomicOr(&integers[5], value);
        atomicXor(&integers[6], value);
        atomicInc(&wraps[0], 6);
        atomicDec(&wraps[1], 6);
        atomicMin(&wraps[2], (unsigned)value);
        atomicMax(&wraps[3], (unsigned)value);
        atomicAdd(floats, (float)value);
        atomicAdd(doubles, 0.5 * value);
        atomicMin(&longs[0], 1000000000000ll * value);
        atomicMax(&longs[1], 1000000000000ll * value);
        atomicAdd_block(&local[0], value);
        atomicMax_block(&local[1], value);
        atomicOr(&local[2], 1 << (value & 31));
        atomicExch(&local[3], 77);
    }
    __syncthreads();
    if (threadIdx.x < 4)
        integers[8 + blockIdx.x * 4 + threadIdx.x] = local[threadIdx.x];
}
