// Two sorted arrays merged: each thread finds the start of its diagonal by bisection and merges a few elements.
const int ITEMS = 4;

__device__ int diagonal_start(const int* a, int count_a, const int* b, int count_b, int diagonal)
{
    int low = max(0, diagonal - count_b);
    int high = min(diagonal, count_a);
    while (low < high) {
        int middle = (low + high) >> 1;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge_path(const int* a, int count_a, const int* b, int count_b, int* merged)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * ITEMS;
    int count = count_a + count_b;
    if (first >= count)
        return;
    int i = diagonal_start(a, count_a, b, count_b, first);
    int j = first - i;
    for (int k = first; k < min(first + ITEMS, count); k++) {
        bool from_a = j >= count_b || (i < count_a && a[i] <= b[j]);
        merged[k] = from_a ? a[i++] : b[j++];
    }
}
