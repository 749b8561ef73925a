// A Jacobi step of Poisson's equation with a tile and its four edges in shared memory.
const int SIDE = 8;

__global__ void stencil_2d(const float* u, const float* f, float* next, int width, int height, float h)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    int column = threadIdx.x + 1;
    int row = threadIdx.y + 1;
    bool within = x < width && y < height;
    if (within) {
        int here = y * width + x;
        tile[row][column] = u[here];
        if (column == 1 && x > 0)
            tile[row][0] = u[here - 1];
        if (column == SIDE && x + 1 < width)
            tile[row][SIDE + 1] = u[here + 1];
        if (row == 1 && y > 0)
            tile[0][column] = u[here - width];
        if (row == SIDE && y + 1 < height)
            tile[SIDE + 1][column] = u[here + width];
    }
    __syncthreads();
    if (!within)
        return;
    int here = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        next[here] = tile[row][column];
    else
        next[here] = 0.25f * (tile[row][column - 1] + tile[row][column + 1] + tile[row - 1][column] + tile[row + 1][column] - h * h * f[here]);
}
