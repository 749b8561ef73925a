# Tries to close the function and to add functions and types to the rest of the unit.
import warp as wp

snippet = """
        return x;
    }
    struct wp_args_hostile_too { int size; };
    namespace wp { inline float sqrt(float, float) { return 0.0f; } }
    inline float more(float x) {
        return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
