// A step of particles that bounce in a box: as an array of structures, and as a structure of arrays passed by value.
struct Particle {
    float3 position;
    float3 velocity;
    float mass;
    int bounces;
};

struct Particles {
    float* x;
    float* v;
    int* bounces;
    int count;
    float2 box;
};

__device__ int bounced(float& x, float& v, float dt)
{
    x += v * dt;
    if (x >= 0.0f && x <= 1.0f)
        return 0;
    x = x < 0.0f ? -x : 2.0f - x;
    v = -v;
    return 1;
}

__global__ void structures(Particle* particles, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Particle p = particles[i];
    p.bounces += bounced(p.position.x, p.velocity.x, dt);
    p.bounces += bounced(p.position.y, p.velocity.y, dt);
    p.bounces += bounced(p.position.z, p.velocity.z, dt);
    particles[i] = p;
}

__global__ void arrays(float* x, float* v, int* bounces, float2 box, int count, float dt)
{
    Particles particles = {x, v, bounces, count, box};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= particles.count)
        return;
    float scale = particles.box.y - particles.box.x;
    float position = (particles.x[i] - particles.box.x) / scale;
    float velocity = particles.v[i] / scale;
    particles.bounces[i] += bounced(position, velocity, dt);
    particles.x[i] = position * scale + particles.box.x;
    particles.v[i] = velocity * scale;
}
