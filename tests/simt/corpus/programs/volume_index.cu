// Sums over a grid and blocks with three dimensions whose blocks are no multiples of a warp, by a loop with continue and break.
__global__ void volume_index(const unsigned char* volume, int* marks, int* steps, uint3 size)
{
    uint3 at = make_uint3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
    if (at.x >= size.x || at.y >= size.y || at.z >= size.z)
        return;
    unsigned index = (at.z * size.y + at.y) * size.x + at.x;
    int count = 0;
    int sum = 0;
    for (unsigned x = at.x; x < size.x; x++) {
        unsigned char voxel = volume[index - at.x + x];
        if (voxel == 0)
            continue;
        if (voxel > 200)
            break;
        for (int bit = 0; bit < 8; bit++) {
            if (!(voxel >> bit & 1))
                continue;
            sum += bit;
            if (sum > 40)
                goto done;
        }
        count++;
    }
done:
    steps[index] = count;
    marks[index] = sum;
}
