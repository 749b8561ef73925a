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
#   warp/_src/codegen.py, emit_BinOp: references are loaded by the call of the operator, after both operands are \
#   evaluated."""
# workaround = "a variable for the element"
# forms = [
#   "gradient|level-oracle order=element_then_call|element_then_atomic|call_arguments|add_assign_call dtype=*",
# ]
# related = [1947]
# ///
"""An operand that is an element of an array is read after the later operands

Python evaluates operands from left to right. Warp takes the address of x[0] first and reads the element after the call
of the function, which changes it: 60 in place of 33. wp.max(x[0], f(x)) and x[0] + wp.atomic_add(x, 0, 5.0) do the
same. Issue 1947 is about augmented assignments.
"""

import warp as wp


@wp.func
def changed(a: wp.array(dtype=float)):
    a[0] = a[0] * 10.0
    return a[0]


@wp.kernel
def operand_order(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[0] = x[0] + changed(x)


def main() -> int:
    """Print both results, and return 1 if they differ."""
    x = wp.array([3.0], dtype=float, device="cpu")
    out = wp.zeros(1, dtype=float, device="cpu")
    wp.launch(operand_order, 1, [x, out], device="cpu")
    right, warp = 33.0, float(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
