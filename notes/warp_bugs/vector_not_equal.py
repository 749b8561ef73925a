# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "forward"
# kind = "compile"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = "warp/native/vec.h: vec_t has operator== and no operator!=; C++17 does not derive one from the other."
# workaround = "not (v[0] == v[1])"
# forms = [
#   "compile compare=vec_not_equal|mat_not_equal|quat_not_equal|transform_not_equal",
# ]
# ///
"""Vectors that are compared by != do not compile

v[0] != v[1] does not compile on the CPU, and v[0] == v[1] does. The registry offers the operator for vectors, matrices
and quaternions.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def vector_not_equal(v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    if v[0] != v[1]:
        out[0] = 1.0


def main() -> int:
    """Print whether Warp compiles the kernel, and return 1 if it does not."""
    print("right: the kernel compiles and runs")
    try:
        v = wp.zeros(2, dtype=wp.vec3, device="cpu")
        wp.launch(vector_not_equal, 1, [v, wp.zeros(1, dtype=float, device="cpu")], device="cpu")
    except Exception as error:
        print("Warp: ", type(error).__name__, str(error).strip().split("\n")[0][:200])
        return 1
    print("Warp:  the kernel compiles and runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
