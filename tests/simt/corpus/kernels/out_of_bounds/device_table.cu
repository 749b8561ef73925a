// Steps of a walk by a table in device memory; the directions of the wrong twin count from one.
__device__ int2 steps[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
__device__ int visits[4] = {0, 0, 0, 0};

__global__ void device_table(const int* directions, int2* ends, int* seen, int length)
{
    int i = threadIdx.x;
    int2 at = make_int2(0, 0);
    for (int k = 0; k < length; k++) {
#ifdef WRONG
        int direction = directions[i * length + k] + 1;
#else
        int direction = directions[i * length + k];
#endif
        int2 step = steps[direction];  // WRONG: out_of_bounds
        at.x += step.x;
        at.y += step.y;
        atomicAdd(&visits[direction], 1);
    }
    ends[i] = at;
    __syncthreads();
    if (i < 4)
        seen[i] = atomicAdd(&visits[i], 0);
}
