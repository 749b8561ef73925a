// Tile of each pixel; the wrong twin rounds the number of tiles in a row down, to zero for a narrow image.
const int TILE = 16;

__global__ void tiles_of_image(int* tile_rows, int* tile_columns, int width, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
#ifdef WRONG
    int tiles = width / TILE;
#else
    int tiles = (width + TILE - 1) / TILE;
#endif
    int tile = i / TILE;
    tile_rows[i] = tile / tiles;  // WRONG: divided_by_zero
    tile_columns[i] = tile % tiles;  // WRONG: divided_by_zero
}
