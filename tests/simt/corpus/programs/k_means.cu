// Steps of k-means: points look for the nearest center in shared memory; sums are collected by atomics and divided in a second kernel.
const int CENTERS = 8;

__global__ void assign_points(const float2* points, const float2* centers, int* labels, float* sums, int* counts, int n)
{
    __shared__ float2 near[CENTERS];
    __shared__ float local_sums[2 * CENTERS];
    __shared__ int local_counts[CENTERS];
    int t = threadIdx.x;
    if (t < CENTERS) {
        near[t] = centers[t];
        local_sums[2 * t] = local_sums[2 * t + 1] = 0.0f;
        local_counts[t] = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        float2 p = points[i];
        int best = 0;
        float least = 1e30f;
        for (int k = 0; k < CENTERS; k++) {
            float dx = p.x - near[k].x;
            float dy = p.y - near[k].y;
            float distance = dx * dx + dy * dy;
            if (distance < least) {
                least = distance;
                best = k;
            }
        }
        labels[i] = best;
        atomicAdd(&local_sums[2 * best], p.x);
        atomicAdd(&local_sums[2 * best + 1], p.y);
        atomicAdd(&local_counts[best], 1);
    }
    __syncthreads();
    if (t < 2 * CENTERS)
        atomicAdd(&sums[t], local_sums[t]);
    if (t < CENTERS)
        atomicAdd(&counts[t], local_counts[t]);
}

__global__ void move_centers(float2* centers, float* sums, int* counts)
{
    int k = threadIdx.x;
    if (counts[k] > 0)
        centers[k] = make_float2(sums[2 * k] / counts[k], sums[2 * k + 1] / counts[k]);
    sums[2 * k] = sums[2 * k + 1] = 0.0f;
    counts[k] = 0;
}
