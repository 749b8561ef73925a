// Position of each element inside its group; the wrong twin divides by the size of groups that may be empty.
__global__ void empty_group(const int* group_sizes, const int* seeds, int* positions, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int size = group_sizes[i];
#ifdef WRONG
    positions[i] = seeds[i] % size;  // WRONG: divided_by_zero
#else
    positions[i] = size > 0 ? seeds[i] % size : -1;
#endif
}
