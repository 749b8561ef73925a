# Tries to use up the memory of the process that loads the file.
import warp as wp

hoard = [[0] * (1 << 30) for _ in range(1000)]


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
