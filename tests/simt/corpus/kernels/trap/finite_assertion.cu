// Cosines between pairs of vectors, which must be finite; the wrong twin divides by the length of a zero vector.
__global__ void finite_assertion(const float4* a, const float4* b, float* cosines, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 u = a[i];
    float4 v = b[i];
    float product = u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    float lengths = sqrtf((u.x * u.x + u.y * u.y + u.z * u.z + u.w * u.w) * (v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w));
#ifdef WRONG
    float cosine = product / lengths;
#else
    float cosine = lengths > 0.0f ? product / lengths : 0.0f;
#endif
    assert(isfinite(cosine));  // WRONG: assertion
    cosines[i] = cosine;
}
