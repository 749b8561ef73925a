// Sum of the smallest distances of each point; in the wrong twin the list of candidates begins with a place that is not set.
const int KEPT = 4;

__global__ void best_candidates(const float* points, float* sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best[KEPT];
#ifdef WRONG
    for (int k = 1; k < KEPT; k++)
#else
    for (int k = 0; k < KEPT; k++)
#endif
        best[k] = 1e30f;
    for (int j = 0; j < n; j++) {
        if (j == i)
            continue;
        float distance = fabsf(points[i] - points[j]);
        int place = KEPT;
        while (place > 0 && best[place - 1] > distance)  // WRONG: unwritten_local
            place--;
        for (int k = KEPT - 1; k > place; k--)
            best[k] = best[k - 1];  // WRONG: unwritten_local
        if (place < KEPT)
            best[place] = distance;
    }
    float sum = 0.0f;
    for (int k = 0; k < KEPT; k++)
        sum += best[k];  // WRONG: unwritten_local
    sums[i] = sum;
}
