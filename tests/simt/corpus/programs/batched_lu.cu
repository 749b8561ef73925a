// Linear systems of size four, one for each thread, with pivots, in local arrays.
const int N = 4;

__global__ void batched_lu(const double* matrices, const double* rights, double* solutions, int count)
{
    int system = blockIdx.x * blockDim.x + threadIdx.x;
    if (system >= count)
        return;
    double a[N][N];
    double b[N];
    for (int i = 0; i < N; i++) {
        b[i] = rights[system * N + i];
        for (int j = 0; j < N; j++)
            a[i][j] = matrices[(system * N + i) * N + j];
    }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        for (int j = 0; j < N; j++) {
            double held = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = held;
        }
        double held = b[k];
        b[k] = b[pivot];
        b[pivot] = held;
        for (int i = k + 1; i < N; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < N; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    for (int i = 0; i < N; i++)
        solutions[system * N + i] = b[i];
}
