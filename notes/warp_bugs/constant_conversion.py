# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "forward"
# kind = "forward"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py: the conversion of a constant changes the variable that add_constant has cached."""
# workaround = "no conversion of what is a float64 already"
# forms = [
#   "forward|pair-values constant=conversion dtype=* options=*",
# ]
# ///
"""A constant in double precision has no value before its conversion

For the conversion wp.float64(D) of a constant that is a float64 already, Warp reuses the variable of the constant and
assigns it at the conversion. An earlier use of the constant reads the variable without a value: the first output is 0
or arbitrary. An optimizer may give the variable the right value by chance; in debug mode the compiler does not optimize.
"""

import warp as wp

D = wp.constant(wp.float64(0.5))


@wp.kernel(module="unique", enable_backward=False, module_options={"mode": "debug"})
def constant_conversion(x: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    out[i] = x[i] * D
    out[i] = out[i] + wp.float64(D)


def main() -> int:
    """Print both results, and return 1 if they differ."""
    x = wp.array([8.0], dtype=wp.float64, device="cpu")
    out = wp.zeros(1, dtype=wp.float64, device="cpu")
    wp.launch(constant_conversion, 1, [x, out], device="cpu")
    right, warp = 4.5, float(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
