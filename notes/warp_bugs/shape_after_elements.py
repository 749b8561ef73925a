# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "arrays"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_Attribute of shape: the reverse statement adj_x.shape = adj_shape clears the shape of the \
#   descriptor of the gradient."""
# workaround = "the shape read before all elements, or an argument with the length"
# forms = [
#   "gradient|crash|pair-gradient shape=after index=negative|computed context=*",
#   "crash shape=after options=debug target=* context=*",
#   "pair-gradient shape=after pair.index=negative~positive|computed~negative",
# ]
# ///
"""The gradient of x[-1] is written out of bounds if the kernel reads x.shape

The adjoint of x.shape assigns the shape of the gradient array and clears it. A negative index of an element that the
kernel read before then counts from a length of zero: the gradient of x[-1] is added in front of the gradient array, and
the gradient of the last element is lost. With positive indices the gradient is right, but Warp's checks of indices
(mode "debug") reject it.
"""

import numpy as np
import warp as wp


@wp.kernel
def shape_after_elements(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    s = x[-1]
    out[0] = s * s * float(x.shape[0])


VALUES = np.array([2.0, 3.0, 4.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    room = wp.zeros(8, dtype=float, device="cpu")  # the gradient of x is its end, so that nothing else is overwritten
    x = wp.array(values, dtype=float, device="cpu")
    x.grad = room[5:]
    with wp.Tape() as tape:
        wp.launch(shape_after_elements, 1, [x, out], device="cpu")
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
