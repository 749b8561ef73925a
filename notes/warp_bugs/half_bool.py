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
# cause = """\
#   warp/native/builtin.h, line 114: half converts to each of the numeric types and not to bool, so that a cast to bool \
#   is ambiguous; the adjoint of the cast of bool to half, adj_float16, line 584, contains such a cast, too."""
# workaround = "a comparison x != wp.float16(0.0), and wp.where(flag, wp.float16(1.0), wp.float16(0.0))"
# forms = [
#   "compile statement=from_bool|to_bool dtype=half",
# ]
# related = [1332]
# ///
"""Conversions between half and bool do not compile

wp.bool(x) of a number of the type float16 or bfloat16 does not compile on the CPU, nor does the backward pass of
wp.float16(flag). The registry offers all four conversions.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def half_bool(x: wp.array(dtype=wp.float16), out: wp.array(dtype=float)):
    if wp.bool(x[0]):
        out[0] = 1.0


def main() -> int:
    """Print whether Warp compiles the kernel, and return 1 if it does not."""
    print("right: the kernel compiles and runs")
    try:
        x = wp.ones(1, dtype=wp.float16, device="cpu")
        wp.launch(half_bool, 1, [x, wp.zeros(1, dtype=float, device="cpu")], device="cpu")
    except Exception as error:
        print("Warp: ", type(error).__name__, str(error).strip().split("\n")[0][:200])
        return 1
    print("Warp:  the kernel compiles and runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
