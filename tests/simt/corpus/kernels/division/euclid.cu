// Greatest common divisors; the wrong twin tests the remainder after the division.
__global__ void euclid(const unsigned* a, const unsigned* b, unsigned* divisors, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = a[i];
    unsigned y = b[i];
#ifdef WRONG
    do {
#else
    while (y != 0) {
#endif
        unsigned rest = x % y;  // WRONG: divided_by_zero
        x = y;
        y = rest;
#ifdef WRONG
    } while (y != 0);
#else
    }
#endif
    divisors[i] = x;
}
