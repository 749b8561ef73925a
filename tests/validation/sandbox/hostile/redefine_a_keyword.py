# Tries to redefine a keyword in the rest of the unit.
import warp as wp

snippet = """
#define return for (volatile int ever = 1; ever;) ; return
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
