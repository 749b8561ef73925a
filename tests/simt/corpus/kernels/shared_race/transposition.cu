// Transposed matrix by padded tiles; the wrong twin reads a tile before all of its rows are written.
const int TILE = 32;
const int ROWS = 8;

__global__ void transposition(const float* a, float* b, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        if (x < width && y + row < height)
            tile[threadIdx.y + row][threadIdx.x] = a[(y + row) * width + x];  // WRONG: shared_race
#ifndef WRONG
    __syncthreads();
#endif
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        if (x < height && y + row < width)
            b[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];  // WRONG: shared_race, also: unwritten_shared
}
