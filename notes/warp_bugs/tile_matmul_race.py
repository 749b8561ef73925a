# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "gpu"
# kind = "race"
# status = "new"
# issues = []
# versions = ["1.19.0"]
# evidence = "wrong on an NVIDIA H100; a race on the SIMT machine of warpsmith"
# cause = """\
#   warp/native/tile_matmul.h, lines 575, 579, 588 and 592: no barrier between the products that add to adj_A and adj_B."""
# workaround = "a tile that is loaded twice"
# related = [1941]
# device = "cuda"
# forms = [
#   "level-simt tile=matmul_transpose storage=* context=* use=*",
# ]
# ///
"""A race in adj_tile_matmul if both factors are one tile

adj_tile_matmul adds one product of matrices to the gradient of A and another one to the gradient of B, without a
barrier between them. A transpose shares the memory of its tile, so that both gradients are one tile, and a thread adds
to elements that another thread changes in its first product. On an NVIDIA H100 a normal matrix of a tile of 12 rows and
6 columns, in blocks of 256 threads, has a wrong gradient.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_matmul_race(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    a = wp.tile_load(x, shape=(12, 6), storage="shared")
    wp.tile_store(out, wp.tile_matmul(wp.tile_transpose(a), a))


def gradient(device):
    """Return the gradient of the tile on a device."""
    x = wp.array(np.arange(72.0).reshape(12, 6) / 72.0, dtype=float, device=device, requires_grad=True)
    out = wp.zeros((6, 6), dtype=float, device=device, requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_matmul_race, dim=[1], inputs=[x, out], block_dim=256, device=device)
    tape.backward(grads={out: wp.ones_like(out)})
    return x.grad.numpy()


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    right, warp = gradient("cpu"), gradient("cuda:0")
    for _ in range(100):
        if not np.allclose(warp, right, rtol=0.01):
            break
        warp = gradient("cuda:0")
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
