# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "gpu"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.19.0"]
# evidence = "32 in place of 1 on the SIMT machine of warpsmith; not run on a GPU"
# cause = """\
#   warp/native/array.h, line 1364, adj_array_store_slot: a load and a store of the gradient without an atomic exchange."""
# workaround = "wp.tile_store of a view with one element"
# device = "cuda"
# ///
"""The gradient of an element that all threads of a block store is counted once per thread

All threads of a block store the same value in one element, and the result is right. In the backward pass each thread
reads the gradient of the element without an atomic operation and then clears it: all threads of the first warp read it
before it is cleared. On the CPU the gradient is right.
"""

import numpy as np
import warp as wp


@wp.kernel
def element_stored_by_block(x: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=(5, 7))
    out[0] = t[3][4]


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    x = wp.ones((5, 7), dtype=float, device="cuda:0", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cuda:0", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(element_stored_by_block, dim=[1], inputs=[x, out], block_dim=64, device="cuda:0")
    tape.backward(grads={out: wp.ones_like(out)})
    right, warp = 1.0, float(x.grad.numpy()[3, 4])
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
