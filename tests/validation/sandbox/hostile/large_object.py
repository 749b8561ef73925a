# Tries to have the compiler write a large file.
import warp as wp

snippet = """
        return x;
    }
    extern "C" { char large[3u << 30] = {1}; }
    inline float more(float x) {
        return x + large[0];
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
