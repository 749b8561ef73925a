// Sums of rows read as float4; the rows of the wrong twin are not padded to a multiple of four floats.
__global__ void vector_rows(const float* matrix, float* sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
#ifdef WRONG
    int pitch = columns;
#else
    int pitch = (columns + 3) / 4 * 4;
#endif
    const float4* first = reinterpret_cast<const float4*>(matrix + row * pitch);
    float sum = 0.0f;
    for (int k = 0; k < columns / 4; k++) {
        float4 four = first[k];  // WRONG: misaligned
        sum += four.x + four.y + four.z + four.w;
    }
    sums[row] = sum;
}
