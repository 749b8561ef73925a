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
#   warp/_src/codegen.py: the conversion of a constant changes the type of the cached variable, see \
#   constant_conversion.py."""
# workaround = "the integer arithmetic first, in variables of its own"
# forms = [
#   "pair-rejected pair.dtype=double~float constant=counter",
# ]
# ///
"""The counter of an unrolled loop changes its type after a conversion

In a loop that Warp unrolls the counter is a constant of each step. After wp.float64(k) that constant has the type
float64, and integer arithmetic of the same step does not compile.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def unrolled_counter(x: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    for k in range(3):
        s = wp.float64(k) * x[i]
        out[i + k] = s


def main() -> int:
    """Print whether Warp compiles the kernel, and return 1 if it does not."""
    print("right: the kernel compiles and runs")
    try:
        x = wp.array([8.0], dtype=wp.float64, device="cpu")
        out = wp.zeros(3, dtype=wp.float64, device="cpu")
        wp.launch(unrolled_counter, 1, [x, out], device="cpu")
    except Exception as error:
        print("Warp: ", type(error).__name__, str(error).strip().split("\n")[0][:200])
        return 1
    print("Warp:  the kernel compiles and runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
