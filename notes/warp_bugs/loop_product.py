# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "gradient"
# status = "documented"
# issues = [729, 174, 1740, 1754]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, begin_for, end_for and materialize_redefinitions: the backward pass runs the reversed loop \
#   once, with the values of loop-carried variables from before the loop; the forward sweep of the backward pass skips a \
#   dynamic loop."""
# workaround = """\
#   a loop whose length is known when the kernel is built, or an array that stores the value of each step"""
# forms = [
#   "gradient context=dynamic|dynamic_range3|while_first|while_last|static_in_dynamic|dynamic_in_dynamic|helper_loop operator=mul|div|assign_mul|assign_div|max|min|assign_self_mul target=*",
#   "gradient context=static|static_in_dynamic operator=mul|div|assign_mul|assign_div|max|min|assign_self_mul options=no_unroll",
#   "gradient call=* context=dynamic|dynamic_range3|while_first|while_last|static_in_dynamic|dynamic_in_dynamic|helper_loop operator=mul|div|assign_mul|assign_div|max|min|assign_self_mul target=*",
#   "gradient call=closure options=no_unroll target=*",
# ]
# ///
"""Wrong gradient of a product over a dynamic loop

A variable that a dynamic loop multiplies has a wrong gradient. The backward pass enters the reversed loop with the
value from before the loop and recomputes it in the wrong order, so that each step uses the product from the wrong end.
The same holds for every loop-carried value that is used nonlinearly: Horner's scheme, wp.max, previous elements,
counters, quaternion and matrix products.

A loop over at most max_unroll (16) constant steps is unrolled and correct. Warp's manual describes this limitation of
dynamic loops; nothing is reported when the kernel is built.
"""

import numpy as np
import warp as wp


@wp.kernel
def product_in_loop(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    s = float(1.0)
    for k in range(n):
        s = s * x[k]
    out[0] = s


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(product_in_loop, 1, [x, 3, out], device="cpu")
    return x, out, tape


def main() -> int:
    """Print both gradients of the sum of the outputs, and return 1 if they differ."""
    x, out, tape = launch(VALUES)
    tape.backward(grads={out: wp.ones_like(out)})
    warp = x.grad.numpy()
    right = np.zeros_like(warp)
    for i in np.ndindex(right.shape):
        step = np.zeros_like(VALUES)
        step[i] = STEP
        upper, lower = (launch(VALUES + sign * step)[1].numpy().sum() for sign in (1.0, -1.0))
        right[i] = (upper - lower) / (2.0 * STEP)
    print("right, by central differences:", right.tolist())
    print("Warp, by wp.Tape:             ", warp.tolist())
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
