// Numbers scaled by vectors of four; the last vector of the wrong twin reaches beyond the end of the array.
__global__ void vector_tail(float* x, float scale, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
#ifdef WRONG
    if (first < n) {
#else
    if (first + 3 < n) {
#endif
        float4 four = *reinterpret_cast<float4*>(x + first);  // WRONG: out_of_bounds
        four.x *= scale;
        four.y *= scale;
        four.z *= scale;
        four.w *= scale;
        *reinterpret_cast<float4*>(x + first) = four;
#ifndef WRONG
    } else {
        for (int i = first; i < n; i++)
            x[i] *= scale;
#endif
    }
}
