// Moduli of complex numbers in records with an index; the wrong twin packs the records to twelve bytes.
struct Record {
    int index;
#ifndef WRONG
    int unused;
#endif
    float real;
    float imaginary;
};

__global__ void complex_rows(const char* bytes, float* moduli, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Record* record = reinterpret_cast<const Record*>(bytes) + i;
    float2 z = *reinterpret_cast<const float2*>(&record->real);  // WRONG: misaligned
    moduli[i] = sqrtf(z.x * z.x + z.y * z.y);
}
