// Layer normalization with Welford's method and shuffles, vectorized by float4, with weights and biases.
struct Moments {
    float mean;
    float squares;
    float count;
};

__device__ Moments combined(Moments a, Moments b)
{
    float count = a.count + b.count;
    if (count == 0.0f)
        return a;
    float delta = b.mean - a.mean;
    float share = b.count / count;
    return {a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share, count};
}

__global__ void layer_norm(const float4* rows, const float4* weights, const float4* biases, float4* result, int vectors)
{
    const float4* row = rows + blockIdx.x * vectors;
    Moments moments = {0.0f, 0.0f, 0.0f};
    for (int i = threadIdx.x; i < vectors; i += 32) {
        float4 four = row[i];
        float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            moments.count += 1.0f;
            float delta = values[k] - moments.mean;
            moments.mean += delta / moments.count;
            moments.squares += delta * (values[k] - moments.mean);
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        Moments other;
        other.mean = __shfl_xor_sync(0xffffffff, moments.mean, step);
        other.squares = __shfl_xor_sync(0xffffffff, moments.squares, step);
        other.count = __shfl_xor_sync(0xffffffff, moments.count, step);
        moments = combined(moments, other);
    }
    float scale = rsqrtf(moments.squares / moments.count + 1e-5f);
    for (int i = threadIdx.x; i < vectors; i += 32) {
        float4 x = row[i];
        float4 w = weights[i];
        float4 b = biases[i];
        x.x = (x.x - moments.mean) * scale * w.x + b.x;
        x.y = (x.y - moments.mean) * scale * w.y + b.y;
        x.z = (x.z - moments.mean) * scale * w.z + b.z;
        x.w = (x.w - moments.mean) * scale * w.w + b.w;
        result[blockIdx.x * vectors + i] = x;
    }
}
