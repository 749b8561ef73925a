# Tries to have the compiler recurse until its stack overflows.
import warp as wp

snippet = """
    return x;
    }
    template <int n> struct Deep { using type = typename Deep<n + 1>::type; };
    Deep<0>::type deep;
    inline float more(float x) {
        return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
