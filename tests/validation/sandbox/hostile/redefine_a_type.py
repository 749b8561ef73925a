# Tries to redefine a type in the rest of the unit.
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
