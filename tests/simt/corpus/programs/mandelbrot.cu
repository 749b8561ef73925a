// Steps until points of the complex plane escape.
__global__ void mandelbrot(unsigned char* image, int width, int height, double x0, double y0, double step, int limit)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height)
        return;
    double cx = __dadd_rn(x0, __dmul_rn(column, step));
    double cy = __dadd_rn(y0, __dmul_rn(row, step));
    double x = 0.0;
    double y = 0.0;
    int count = 0;
    while (count < limit) {
        double xx = __dmul_rn(x, x);
        double yy = __dmul_rn(y, y);
        if (__dadd_rn(xx, yy) > 4.0)
            break;
        y = __dadd_rn(__dmul_rn(__dadd_rn(x, x), y), cy);
        x = __dadd_rn(__dsub_rn(xx, yy), cx);
        count++;
    }
    image[row * width + column] = (unsigned char)count;
}
