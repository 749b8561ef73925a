// Lines of text from threads: integers, floats, characters, strings and a percent sign.
__global__ void device_printf(const float* x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0.5f)
        printf("%d: %.3f is large, %s\n", i, x[i], i % 2 ? "odd" : "even");
    else
        printf("%04x %c %lld 100%%\n", i, 'a' + i, -5000000000LL - i);
}
