// Seven-point Laplacian of a volume: planes move through registers, the present plane is in shared memory.
const int NX = 16;
const int NY = 8;

__global__ void stencil_3d(const float* u, float* laplacian, int nx, int ny, int nz)
{
    __shared__ float plane[NY + 2][NX + 2];
    int x = blockIdx.x * NX + threadIdx.x + 1;
    int y = blockIdx.y * NY + threadIdx.y + 1;
    int column = threadIdx.x + 1;
    int row = threadIdx.y + 1;
    int layer = nx * ny;
    int at = y * nx + x;
    float behind = u[at];
    float here = u[at + layer];
    for (int z = 1; z < nz - 1; z++) {
        int center = at + z * layer;
        float ahead = u[center + layer];
        plane[row][column] = here;
        if (column == 1)
            plane[row][0] = u[center - 1];
        if (column == NX)
            plane[row][NX + 1] = u[center + 1];
        if (row == 1)
            plane[0][column] = u[center - nx];
        if (row == NY)
            plane[NY + 1][column] = u[center + nx];
        __syncthreads();
        float sum = plane[row][column - 1] + plane[row][column + 1] + plane[row - 1][column] + plane[row + 1][column];
        laplacian[center] = sum + behind + ahead - 6.0f * here;
        __syncthreads();
        behind = here;
        here = ahead;
    }
}
