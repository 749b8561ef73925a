# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "arrays"
# kind = "gradient"
# status = "documented"
# issues = [947, 1350]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/native/array.h, adj_address and adj_array_store: values of arrays are not stored for the backward pass."""
# workaround = "a local variable, and one store per element"
# forms = [
#   "gradient target=element|element_2d|row_element|slice_element|element_component|element_name|element_member|element_member_index operator=mul|div|assign_mul|assign_div|max|min|assign_self_mul|assign_self|assign_add|assign_sub context=* use=*",
#   "gradient target=element|element_2d|row_element|slice_element|element_component|element_name|element_member|element_member_index operator=* context=* use=square|times|branch|helper|loop|index|product_before",
# ]
# ///
"""Wrong gradient of an element that is read and then replaced

The backward pass reads the arrays as they are after the kernel. The derivative of out[0] * out[0] needs the element
before its replacement, and Warp uses the new one. The gradient is twice too large. Warp's manual advises against
overwriting arrays in differentiated kernels; nothing is reported unless verify_autograd_array_access is set.
"""

import numpy as np
import warp as wp


@wp.kernel
def element_overwritten(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[0] = x[0]
    out[0] = out[0] * out[0]


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(element_overwritten, 1, [x, out], device="cpu")
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
