// Elementary and special functions in single and in double precision, a column of the result for each.
template <class T>
__device__ void evaluate(T x, T* row)
{
    row[0] = sin(x);
    row[1] = cos(x * T(100));
    row[2] = tan(x);
    row[3] = exp(x);
    row[4] = log(x);
    row[5] = pow(x, T(1.7));
    row[6] = sqrt(x);
    row[7] = atan2(x, T(2));
    row[8] = tanh(x);
    row[9] = erf(x);
    row[10] = tgamma(x);
    row[11] = cbrt(x);
    row[12] = asin(x / T(4));
    row[13] = fmod(x, T(0.3));
    row[14] = hypot(x, T(3));
    row[15] = log1p(x);
}

__global__ void special_functions(const double* x, float* singles, double* doubles, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    evaluate((float)x[i], singles + 16 * i);
    evaluate(x[i], doubles + 16 * i);
}
