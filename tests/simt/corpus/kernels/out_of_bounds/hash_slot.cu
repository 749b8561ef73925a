// Counts by a multiplicative hash; in the wrong twin the hash is signed and its remainder is negative.
#ifdef WRONG
typedef int Hash;
#else
typedef unsigned Hash;
#endif

__device__ Hash hash_of(int key)
{
    return (Hash)(key * 2654435761u);
}

__global__ void hash_slot(const int* keys, int* counts, int n, int slots)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[hash_of(keys[i]) % (Hash)slots], 1);  // WRONG: out_of_bounds
}
