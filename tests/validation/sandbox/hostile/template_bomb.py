# Tries to have the compiler instantiate 2 to the power of 40 templates.
import warp as wp

snippet = """
        return x;
    }
    template <int depth, long long way> struct Bomb {
        static constexpr long long value = Bomb<depth - 1, 2 * way>::value + Bomb<depth - 1, 2 * way + 1>::value;
    };
    template <long long way> struct Bomb<0, way> {
        static constexpr long long value = way;
    };
    inline float more(float x) {
        return x + (0.0f + Bomb<40, 0>::value);
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
