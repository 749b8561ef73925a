# Tries to run a command when the file is loaded.
# ruff: noqa: S605
import os

import warp as wp

os.system("touch /tmp/warpsmith-marker")


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
