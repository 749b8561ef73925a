# Tries to run a command by a function of the C library that the text declares.
import warp as wp

snippet = """
    int run(const char*) asm("system");
    run("touch /tmp/warpsmith-marker");
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
