// A structure as a parameter whose arrays are indexed by the thread, and a structure that a function returns by value.
struct Filter {
    float taps[8];
    short offsets[8];
    double scale;
    char kind;
};

struct Result {
    double sum;
    int used[3];
};

__device__ __noinline__ Result filtered(Filter filter, const float* x, int i, int n)
{
    Result result = {0.0, {0, 0, 0}};
    for (int k = 0; k < 8; k++) {
        int at = i + filter.offsets[(k + i) % 8];
        if (at < 0)
            result.used[0]++;
        else if (at >= n)
            result.used[2]++;
        else {
            result.used[1]++;
            result.sum += filter.taps[(k + i) % 8] * x[at];
        }
    }
    result.sum *= filter.scale;
    return result;
}

__global__ void struct_parameters(const __grid_constant__ Filter filter, const float* x, double* y, int* used, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Result result = filtered(filter, x, i, n);
    y[i] = filter.kind == 'm' ? -result.sum : result.sum;
    for (int k = 0; k < 3; k++)
        used[3 * i + k] = result.used[k];
}
