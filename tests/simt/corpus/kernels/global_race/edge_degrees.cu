// Degrees of the nodes of a graph and its weight; the wrong twin increments without atomics.
__global__ void edge_degrees(const int2* edges, const float* weights, int* degrees, float* strength, int n)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < n; e += gridDim.x * blockDim.x) {
        int2 edge = edges[e];
#ifdef WRONG
        degrees[edge.x] += 1;  // WRONG: global_race
        degrees[edge.y] += 1;  // WRONG: global_race
#else
        atomicAdd(&degrees[edge.x], 1);
        atomicAdd(&degrees[edge.y], 1);
#endif
        atomicAdd(&strength[edge.x], weights[e]);
    }
}
