// Rows divided by their diagonal elements; in the wrong twin the next scale may overwrite one that other warps still read.
const int SIZE = 64;

__global__ void unit_diagonal(float* matrices)
{
    __shared__ float scale;
    float* matrix = matrices + blockIdx.x * SIZE * SIZE;
    int column = threadIdx.x;
    for (int row = 0; row < SIZE; row++) {
        float value = matrix[row * SIZE + column];
        if (column == row)
            scale = 1.0f / value;  // WRONG: shared_race
        __syncthreads();
        matrix[row * SIZE + column] = value * scale;  // WRONG: shared_race
#ifndef WRONG
        __syncthreads();
#endif
    }
}
