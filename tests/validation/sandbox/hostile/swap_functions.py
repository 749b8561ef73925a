# Tries to swap two functions in the rest of the unit.
import warp as wp

snippet = """
#define mul add
#define array_store(a, i, v) array_store(a, i, v + v)
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
