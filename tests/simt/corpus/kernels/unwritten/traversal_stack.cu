// Sum of the leaves below a node of a binary tree with a local stack; the wrong twin does not push the root.
__global__ void traversal_stack(const int2* children, const int* values, int* sums, int n)
{
    int root = blockIdx.x * blockDim.x + threadIdx.x;
    if (root >= n)
        return;
    int stack[32];
    int top = 0;
#ifdef WRONG
    top++;
#else
    stack[top++] = root;
#endif
    int sum = 0;
    while (top > 0) {
        int node = stack[--top];  // WRONG: unwritten_local
        if (node < 0 || node >= n)
            continue;
        int2 below = children[node];
        if (below.x < 0) {
            sum += values[node];
        } else {
            stack[top++] = below.x;
            stack[top++] = below.y;
        }
    }
    sums[root] = sum;
}
