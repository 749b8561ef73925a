# Tries to print without end.
import warp as wp

snippet = r"""
    volatile int ever = 1;
    while (ever)
        printf("noise noise noise noise noise noise noise noise noise noise noise noise\n");
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
