# Tries to have a harmless function call a harmful one.
import warp as wp

smallest = min(["open('/tmp/warpsmith-marker', 'w')"], key=eval)


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
