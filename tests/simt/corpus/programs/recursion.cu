// Recursive functions of the device: Ackermann, Fibonacci, and the depth of a tree of intervals.
__device__ __noinline__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int depth(const int* bounds, int low, int high)
{
    if (high - low < 2)
        return 0;
    int middle = min(max(bounds[low] % (high - low), 1), high - low - 1) + low;
    int left = depth(bounds, low, middle);
    int right = depth(bounds, middle, high);
    return 1 + (left > right ? left : right);
}

__global__ void recursion(const int* bounds, int* values, int n)
{
    int t = threadIdx.x;
    values[t] = ackermann(t % 3, t % 5);
    values[32 + t] = fibonacci(t % 12);
    values[64 + t] = depth(bounds, 0, n - t % 7);
}
