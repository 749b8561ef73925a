// Lengths in packets with a tag of one byte; the wrong twin reads the four bytes after the tag as an integer.
const int PACKET = 8;

__global__ void packet_length(const unsigned char* packets, int* lengths, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char* packet = packets + i * PACKET;
    int length = 0;
    if (packet[0] == 1) {
#ifdef WRONG
        length = *reinterpret_cast<const int*>(packet + 1);  // WRONG: misaligned
#else
        for (int k = 3; k >= 0; k--)
            length = length << 8 | packet[1 + k];
#endif
    }
    lengths[i] = length;
}
