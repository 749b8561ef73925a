// Accelerations of bodies under gravity by tiles of positions in shared memory.
const int TILE = 32;

__device__ float3 attracted(float3 acceleration, float4 a, float4 b)
{
    float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
    float squared = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
    float inverse = rsqrtf(squared);
    float scale = b.w * inverse * inverse * inverse;
    acceleration.x += r.x * scale;
    acceleration.y += r.y * scale;
    acceleration.z += r.z * scale;
    return acceleration;
}

__global__ void n_body(const float4* bodies, float3* accelerations, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 mine = bodies[min(i, n - 1)];
    float3 acceleration = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += TILE) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; k++)
            acceleration = attracted(acceleration, mine, tile[k]);
        __syncthreads();
    }
    if (i < n)
        accelerations[i] = acceleration;
}
