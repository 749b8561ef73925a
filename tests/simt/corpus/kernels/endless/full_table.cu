// Hash table with linear probing; the wrong twin looks for a free slot in a table that is full.
__global__ void full_table(const int* keys, int* slots, int* lost, int n, int capacity)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int key = keys[i];
    int slot = key * 7 % capacity;
#ifdef WRONG
    while (true) {  // WRONG: step_limit
#else
    for (int probe = 0; probe < capacity; probe++) {
#endif
        int found = atomicCAS(&slots[slot], -1, key);  // WRONG: step_limit
        if (found == -1 || found == key)  // WRONG: step_limit
            return;
        slot = (slot + 1) % capacity;  // WRONG: step_limit
    }
    atomicAdd(lost, 1);
}
