# Tries to give another meaning to a type in all that follows.
import warp as wp

snippet = """
#define float32 float64
#define float double
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
