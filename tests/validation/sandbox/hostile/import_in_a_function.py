# Tries to hide an import in a function that the file calls when it is loaded.
# ruff: noqa: PLC0415, S605
import warp as wp


def deed():
    import os

    os.system("touch /tmp/warpsmith-marker")


deed()


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
