# Tries to have the compiler quote a file.
import warp as wp

snippet = """
#include "/etc/passwd"
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
