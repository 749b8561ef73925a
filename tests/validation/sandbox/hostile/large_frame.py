# Tries to use more stack than there is.
import warp as wp

snippet = """
    volatile char large[1 << 30];
    for (long i = (1L << 30) - 1; i >= 0; i -= 4096)
        large[i] = 1;
    return x + large[0];
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
