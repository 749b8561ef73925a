# Tries to stop the process by an undefined instruction.
import warp as wp

snippet = """
    __builtin_trap();
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
