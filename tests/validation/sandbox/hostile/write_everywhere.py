# Tries to overwrite all memory that it finds above its stack frame.
import warp as wp

snippet = """
    volatile char here = 0;
    for (volatile char* up = &here;; ++up)
        *up = 0;
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
