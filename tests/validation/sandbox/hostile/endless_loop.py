# Tries to run without end, in machine code.
import warp as wp

snippet = """
    volatile int ever = 1;
    while (ever) {
    }
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
