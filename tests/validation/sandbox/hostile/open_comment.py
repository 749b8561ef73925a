# Tries to have the compiler skip the rest of the unit.
import warp as wp

snippet = """
    return x; }  /* what follows is a comment
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
