// Shortest paths between all nodes: one block relaxes all edges for each middle node.
__global__ void floyd_warshall(int* distances, int* next, int n)
{
    for (int middle = 0; middle < n; middle++) {
        for (int pair = threadIdx.x; pair < n * n; pair += blockDim.x) {
            int from = pair / n;
            int to = pair % n;
            if (from == middle || to == middle)
                continue;
            int through = distances[from * n + middle] + distances[middle * n + to];
            if (through < distances[pair]) {
                distances[pair] = through;
                next[pair] = next[from * n + middle];
            }
        }
        __syncthreads();
    }
}
