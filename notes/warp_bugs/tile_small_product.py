# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "tiles"
# kind = "gradient"
# status = "new"
# issues = []
# versions = ["1.19.0"]
# evidence = "wrong in CUDA code that runs whole blocks on the CPU; not run on a GPU"
# cause = """\
#   warp/native/tile.h, adj_tile_mul of a scalar: the sum over the registers includes threads without an element."""
# workaround = "a tile of the size of the block"
# device = "cuda"
# ///
"""Wrong gradient of a scalar that multiplies a tile smaller than the block

In blocks of 32 threads, 24 threads have no element of a tile of 8 elements, but their register contains wp.cos(0.0).
The adjoint of the product adds these values: the gradient of the scalar is 24 too large. In a launch on the CPU, a
block is one thread, and the gradient is right.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_small_product(x: wp.array(dtype=float), u: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_map(wp.cos, wp.tile_load(x, shape=8))
    wp.tile_store(out, wp.tile_sum(t * wp.tile_extract(wp.tile_load(u, shape=1), 0)))


def gradient(device):
    """Return the gradient of the scalar on a device."""
    x = wp.array(np.linspace(0.1, 0.8, 8), dtype=float, device=device, requires_grad=True)
    u = wp.ones(1, dtype=float, device=device, requires_grad=True)
    out = wp.zeros(1, dtype=float, device=device, requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_small_product, dim=[1], inputs=[x, u, out], block_dim=32, device=device)
    tape.backward(grads={out: wp.ones_like(out)})
    return float(u.grad.numpy()[0])


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    right = float(np.cos(np.linspace(0.1, 0.8, 8)).sum())
    warp = gradient("cuda:0")
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
