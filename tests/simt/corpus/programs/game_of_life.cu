// Generations of Conway's game of life on a torus, 32 cells in each word.
__device__ unsigned shifted(const unsigned* row, int word, int words, int by)
{
    unsigned here = row[word];
    if (by < 0)
        return __funnelshift_l(row[(word + words - 1) % words], here, 1);
    if (by > 0)
        return __funnelshift_r(here, row[(word + 1) % words], 1);
    return here;
}

__global__ void game_of_life(const unsigned* cells, unsigned* next, int words, int rows)
{
    int word = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (word >= words || y >= rows)
        return;
    unsigned ones = 0;
    unsigned twos = 0;
    unsigned fours = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const unsigned* row = cells + (y + dy + rows) % rows * words;
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            unsigned neighbour = shifted(row, word, words, dx);
            unsigned carry = ones & neighbour;
            ones ^= neighbour;
            unsigned carry_twos = twos & carry;
            twos ^= carry;
            fours |= carry_twos;
        }
    }
    unsigned alive = cells[y * words + word];
    next[y * words + word] = twos & ~fours & (ones | alive);
}
