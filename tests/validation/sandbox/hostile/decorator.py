# Tries to write a file in a decorator.
# ruff: noqa: PTH123, S108
import warp as wp


def leave(function):
    open("/tmp/warpsmith-marker", "w").close()
    return function


@leave
def helper():
    pass


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
