# Tries to write a file by numpy.
# ruff: noqa: S108
import numpy as np
import warp as wp

written = np.memmap("/tmp/warpsmith-marker", mode="w+", shape=(1,))


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
