# Tries to run code in the default value of an argument.
# ruff: noqa: B008, S108
import warp as wp


def helper(x=__import__("pathlib").Path("/tmp/warpsmith-marker").write_text("")):
    pass


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
