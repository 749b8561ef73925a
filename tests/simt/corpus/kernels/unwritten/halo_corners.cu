// Blur of three by three with a halo; the wrong twin fills the edges of the halo and not its corners.
const int SIDE = 16;

__device__ float pixel(const float* image, int x, int y, int width, int height)
{
    return image[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

__global__ void halo_corners(const float* image, float* blurred, int width, int height)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    int column = threadIdx.x + 1;
    int row = threadIdx.y + 1;
    tile[row][column] = pixel(image, x, y, width, height);
    int beside = column == 1 ? -1 : column == SIDE ? 1 : 0;
    int above = row == 1 ? -1 : row == SIDE ? 1 : 0;
    if (beside)
        tile[row][column + beside] = pixel(image, x + beside, y, width, height);
    if (above)
        tile[row + above][column] = pixel(image, x, y + above, width, height);
#ifndef WRONG
    if (beside && above)
        tile[row + above][column + beside] = pixel(image, x + beside, y + above, width, height);
#endif
    __syncthreads();
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tile[row + dy][column + dx];  // WRONG: unwritten_shared
    blurred[y * width + x] = sum / 9.0f;
}
