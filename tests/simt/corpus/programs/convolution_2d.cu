// Convolution of an image with a filter in constant memory and a tile with a halo in shared memory.
const int RADIUS = 2;
const int WIDTH = 2 * RADIUS + 1;
const int SIDE = 16;

__constant__ float filter[WIDTH * WIDTH] = {
    1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1,
};

__global__ void convolution_2d(const float* image, float* result, int width, int height)
{
    __shared__ float tile[SIDE + 2 * RADIUS][SIDE + 2 * RADIUS];
    for (int row = threadIdx.y; row < SIDE + 2 * RADIUS; row += SIDE)
        for (int column = threadIdx.x; column < SIDE + 2 * RADIUS; column += SIDE) {
            int x = (int)(blockIdx.x * SIDE) + column - RADIUS;
            int y = (int)(blockIdx.y * SIDE) + row - RADIUS;
            bool inside = x >= 0 && x < width && y >= 0 && y < height;
            tile[row][column] = inside ? image[y * width + x] : 0.0f;
        }
    __syncthreads();
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < WIDTH; dy++)
        for (int dx = 0; dx < WIDTH; dx++)
            sum += filter[dy * WIDTH + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    result[y * width + x] = sum / 256.0f;
}
