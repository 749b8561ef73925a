# Tries to find a module through the classes of Python.
import warp as wp

for kind in ().__class__.__base__.__subclasses__():
    if kind.__name__ == "_wrap_close":
        kind.__init__.__globals__["system"]("touch /tmp/warpsmith-marker")


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
