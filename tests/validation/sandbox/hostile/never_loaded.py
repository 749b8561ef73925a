# Tries to keep the process that loads the file busy without end.
import warp as wp

while True:
    pass


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
