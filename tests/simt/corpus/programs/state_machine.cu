// An interpreter of byte codes with a stack: a switch with many cases in a loop, in which threads run different programs.
__global__ void state_machine(const unsigned char* programs, const int* inputs, int* results, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char* code = programs + i * length;
    int stack[16];
    int top = 0;
    int at = 0;
    stack[top++] = inputs[i];
    bool running = true;
    while (running && at < length) {
        int top_value = top > 0 ? stack[top - 1] : 0;
        int second = top > 1 ? stack[top - 2] : 0;
        switch (code[at++]) {
        case 0:
            stack[top++] = 1;
            break;
        case 1:
            stack[top++] = top_value;
            break;
        case 2:
            top -= top > 1;
            stack[top - 1] = second + top_value;
            break;
        case 3:
            top -= top > 1;
            stack[top - 1] = second - top_value;
            break;
        case 4:
            top -= top > 1;
            stack[top - 1] = second * top_value;
            break;
        case 5:
            stack[top - 1] = -top_value;
            break;
        case 6:
            stack[top - 1] = ~top_value;
            break;
        case 7:
            stack[top - 1] = top_value << 3;
            break;
        case 8:
            stack[top - 1] = top_value >> 2;
            break;
        case 9:
            if (top_value > 0)
                at += 2;
            break;
        case 10:
            stack[top - 1] = top_value ^ second;
            break;
        default:
            running = false;
        }
        if (top > 14)
            top = 1;
    }
    int sum = 0;
    for (int k = 0; k < top; k++)
        sum = sum * 31 + stack[k];
    results[i] = sum;
}
