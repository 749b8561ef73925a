// Integer intrinsics, a column of the result for each.
__global__ void intrinsics(const int* a, const int* b, int* results, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = a[i];
    int y = b[i];
    int* row = results + i * 16;
    row[0] = __clz(x);
    row[1] = __ffs(x);
    row[2] = __popc(x);
    row[3] = (int)__brev(x);
    row[4] = (int)__byte_perm(x, y, 0x5140);
    row[5] = __mulhi(x, y);
    row[6] = (int)__umulhi((unsigned)x, (unsigned)y);
    row[7] = (int)__funnelshift_l((unsigned)x, (unsigned)y, y & 31);
    row[8] = __dp4a(x, y, 7);
    row[9] = (int)__usad((unsigned)x, (unsigned)y, 5u);
    row[10] = __hadd(x, y);
    row[11] = __rhadd(x, y);
    row[12] = __clzll((long long)x << 20);
    row[13] = (int)(((long long)x * y) >> 13);
    row[14] = (int)((unsigned long long)(unsigned)x * 0x9e3779b97f4a7c15ull % ((unsigned)y | 1u));
    row[15] = (int)(((unsigned)x >> (y & 31)) + ((unsigned)x << (y & 31)));
}
