// Speeds of particles: three arrays of components, or structures of eight floats of which three are read.
struct Particle {
    float position[3];
    float velocity[3];
    float mass;
    float charge;
};

__global__ void arrays(const float* velocities, const Particle* particles, float* speeds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = velocities[i];
    float y = velocities[n + i];
    float z = velocities[2 * n + i];
    speeds[i] = x * x + y * y + z * z;
}

__global__ void structures(const float* velocities, const Particle* particles, float* speeds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float* v = particles[i].velocity;
    speeds[i] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}
