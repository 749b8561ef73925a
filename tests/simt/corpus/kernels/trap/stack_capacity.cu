// Ackermann's function with a stack that traps when it is full; the stack of the wrong twin is too small.
#ifdef WRONG
const int CAPACITY = 8;
#else
const int CAPACITY = 64;
#endif

__global__ void stack_capacity(const int* ms, const int* ns, int* values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int stack[CAPACITY];
    int top = 0;
    int n = ns[i];
    stack[top++] = ms[i];
    while (top > 0) {
        int m = stack[--top];
        if (m == 0) {
            n = n + 1;
        } else if (n == 0) {
            n = 1;
            stack[top++] = m - 1;
        } else {
            n = n - 1;
            if (top + 2 > CAPACITY)
                asm volatile("trap;");  // WRONG: trap
            stack[top++] = m - 1;
            stack[top++] = m;
        }
    }
    values[i] = n;
}
