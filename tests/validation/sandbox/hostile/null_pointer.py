# Tries to write to address 0.
import warp as wp

snippet = """
    volatile float* nowhere = nullptr;
    *nowhere = x;
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
