# Tries to return to an address that it chooses.
import warp as wp

snippet = """
    volatile long frame[2] = {0, 0};
    volatile long* up = frame;
    for (int i = 0; i < 64; ++i)
        up[i] = 0x4141414141414141L;
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
