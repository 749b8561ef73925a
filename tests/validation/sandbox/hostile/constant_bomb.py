# Tries to have the compiler compute without end.
import warp as wp

snippet = """
        return x;
    }
    constexpr long long bomb(long long depth) { return depth == 0 ? 1 : bomb(depth - 1) + bomb(depth - 1); }
    static_assert(bomb(60) > 0, "");
    inline float more(float x) {
        return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
