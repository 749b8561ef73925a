// Numbers from text with a trap for what is no digit; the wrong twin does not skip blanks.
__global__ void digit_parser(const char* text, int* numbers, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int number = 0;
    for (int k = 0; k < width; k++) {
        char c = text[i * width + k];
#ifndef WRONG
        if (c == ' ')
            continue;
#endif
        if (c < '0' || c > '9')
            __trap();  // WRONG: trap
        number = 10 * number + (c - '0');
    }
    numbers[i] = number;
}
