# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "functions"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/native/noise.h, line 986: adj_curlnoise takes adj_lacunarity and adj_gain as const references, and adds the \
#   derivative by the point only."""
# workaround = "none; the sum over the octaves in the kernel, with wp.noise"
# forms = [
#   "gradient builtin=curlnoise target=*",
# ]
# related = [1012]
# ///
"""Lost gradient of wp.curlnoise with respect to lacunarity and gain

Each octave multiplies the frequency by the lacunarity and the amplitude by the gain. The adjoint has no part for these two
arguments, in two, three and four dimensions. The manual and the registry call the function differentiable.
"""

import numpy as np
import warp as wp


@wp.kernel
def curlnoise_parameters(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    v = wp.curlnoise(wp.rand_init(3), wp.vec2(0.3, 0.4), wp.uint32(2), x[0], x[1])
    out[0] = v[0] + v[1] * 2.0


VALUES = np.array([2.0, 0.5])
STEP = 0.015625


def launch(values):
    """Return the input, the output and the tape of a launch."""
    x = wp.array(values, dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(curlnoise_parameters, 1, [x, out], device="cpu")
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
