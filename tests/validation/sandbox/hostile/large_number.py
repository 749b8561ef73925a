# Tries to keep the process that loads the file busy with one expression.
import warp as wp

number = 9 ** min(9**9, 9**10)


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
