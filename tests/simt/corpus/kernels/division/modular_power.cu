// Powers modulo a number, whose exponents are reduced by Fermat's theorem; the wrong twin reduces them by zero for modulus 1.
__global__ void modular_power(const unsigned* bases, const unsigned* moduli, unsigned* powers, unsigned exponent, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned modulus = moduli[i];
#ifdef WRONG
    unsigned left = exponent % (modulus - 1);  // WRONG: divided_by_zero
#else
    unsigned left = modulus > 1 ? exponent % (modulus - 1) : 0;
#endif
    unsigned long long base = bases[i] % modulus;
    unsigned long long power = 1 % modulus;
    for (; left > 0; left /= 2) {
        if (left & 1)
            power = power * base % modulus;
        base = base * base % modulus;
    }
    powers[i] = (unsigned)power;
}
