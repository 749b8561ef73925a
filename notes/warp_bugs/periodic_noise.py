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
#   warp/native/noise.h, line 777: pnoise takes the remainder of the cell by mod, the remainder of C, which is negative \
#   for negative cells; the functions for vectors do the same."""
# workaround = "a point that is not negative: x - float(period) * wp.floor(x / float(period))"
# forms = [
#   "pair-values|pair-gradient pair.builtin=pnoise~pnoise_period_before builtin=* target=* operator=*",
# ]
# ///
"""wp.pnoise is not periodic for negative points

With the period 4, wp.pnoise at -0.5 has to be its value at 3.5. The cell -1 is not mapped to the cell 3: the noise has
another value, and its derivative jumps at negative integers.
"""

import numpy as np
import warp as wp


@wp.kernel(enable_backward=False)
def periodic_noise(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.pnoise(wp.rand_init(3), x[i], 4)


def main() -> int:
    """Print both results, and return 1 if they differ."""
    x = wp.array([3.5, 7.5, -0.5], dtype=float, device="cpu")
    out = wp.zeros(3, dtype=float, device="cpu")
    wp.launch(periodic_noise, 3, [x, out], device="cpu")
    first, later, before = out.numpy().tolist()
    print("right:", first, "at 3.5, and", later, "one period later")
    print("Warp: ", before, "one period before")
    return int(not np.isclose(first, before))


if __name__ == "__main__":
    raise SystemExit(main())
