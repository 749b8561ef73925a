# Tries to use more stack than there is, call by call.
import warp as wp

snippet = """
        float deeper(float x);
        return deeper(x);
    }
    float deeper(float x) {
        volatile char frame[4096];
        frame[0] = 1;
        return x > -1.0f ? deeper(x + frame[0]) + 1.0f : x;
    }
    inline float more(float x) {
        return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
