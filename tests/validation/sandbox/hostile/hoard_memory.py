# Tries to use up all memory.
import warp as wp

snippet = """
    for (;;) {
        volatile char* more = (volatile char*)malloc(1 << 20);
        for (long at = 0; at < 1 << 20; at += 4096)
            more[at] = 1;
    }
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
