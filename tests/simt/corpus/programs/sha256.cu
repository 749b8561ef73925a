// SHA-256 of messages of one block, a thread for each; the message schedule is a ring in local memory.
__constant__ unsigned K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

__device__ unsigned rotated(unsigned x, int by)
{
    return x >> by | x << (32 - by);
}

__global__ void sha256(const unsigned char* messages, const int* lengths, unsigned char* digests, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int length = lengths[i];
    unsigned w[16];
    for (int k = 0; k < 16; k++) {
        w[k] = 0;
        for (int byte = 0; byte < 4; byte++) {
            int at = 4 * k + byte;
            unsigned value = at < length ? messages[i * 55 + at] : at == length ? 0x80u : 0u;
            w[k] = w[k] << 8 | value;
        }
    }
    w[15] = 8 * length;
    const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned s[8];
    for (int k = 0; k < 8; k++)
        s[k] = start[k];
#pragma unroll 1
    for (int round = 0; round < 64; round++) {
        if (round >= 16) {
            unsigned a = w[(round + 1) & 15];
            unsigned b = w[(round + 14) & 15];
            a = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3;
            b = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10;
            w[round & 15] += a + w[(round + 9) & 15] + b;
        }
        unsigned t1 = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[round] + w[round & 15];
        unsigned t2 = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int k = 0; k < 32; k++)
        digests[i * 32 + k] = (unsigned char)((s[k / 4] + start[k / 4]) >> (24 - k % 4 * 8));
}
