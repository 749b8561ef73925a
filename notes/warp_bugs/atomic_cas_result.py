# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "arrays"
# kind = "gradient"
# status = "known"
# issues = [790]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py: the forward statement of a function with skip_replay is omitted in the backward pass, its \
#   result variable is declared without a value."""
# workaround = "the result stored in an array, and another kernel that uses it"
# forms = [
#   "gradient target=atomic_cas_result|atomic_exch_result threads=* context=*",
# ]
# ///
"""The gradient of a kernel that uses the result of atomic_cas reads a variable without a value

The backward pass must not repeat the call of wp.atomic_cas and does not, but the adjoint of old * x reads the variable
of the result, which is then uninitialized: the derivative is 7, and Warp gives an arbitrary number.
"""

import numpy as np
import warp as wp


@wp.kernel
def atomic_cas_result(slots: wp.array(dtype=int), x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    old = wp.atomic_cas(slots, i, 0, 5)
    out[i] = float(old) * x[i]


VALUES = np.array([2.0])
STEP = 0.125


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    slots = wp.array([7], dtype=int, device="cpu")
    with wp.Tape() as tape:
        wp.launch(atomic_cas_result, 1, [slots, x, out], device="cpu")
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
