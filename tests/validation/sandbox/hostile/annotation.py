# Tries to run code in an annotation.
# ruff: noqa: S108
import warp as wp


def helper(x: __import__("pathlib").Path("/tmp/warpsmith-marker").touch()):
    pass


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
