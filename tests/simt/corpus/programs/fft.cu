// Fourier transforms of rows of 256 complex numbers in shared memory, radix two, in place after the reversal of bits.
const int COUNT = 256;

__global__ void fft(const float2* rows, float2* result)
{
    __shared__ float2 line[COUNT];
    int t = threadIdx.x;
    for (int k = t; k < COUNT; k += blockDim.x)
        line[__brev(k) >> 24] = rows[blockIdx.x * COUNT + k];
    for (int half = 1; half < COUNT; half *= 2) {
        __syncthreads();
        int position = t % half;
        int low = t / half * 2 * half + position;
        float sine, cosine;
        sincospif(-(float)position / half, &sine, &cosine);
        float2 a = line[low];
        float2 b = line[low + half];
        float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        line[low] = make_float2(a.x + turned.x, a.y + turned.y);
        line[low + half] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    for (int k = t; k < COUNT; k += blockDim.x)
        result[blockIdx.x * COUNT + k] = line[k];
}
