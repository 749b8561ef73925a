// Sums of powers: by repeated multiplication, or by powf.
__global__ void by_products(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    float power = 1.0f;
    for (int k = 1; k <= 16; k++) {
        power *= x[i];
        sum += power;
    }
    y[i] = sum;
}

__global__ void by_powf(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = 1; k <= 16; k++)
        sum += powf(x[i], (float)k);
    y[i] = sum;
}
