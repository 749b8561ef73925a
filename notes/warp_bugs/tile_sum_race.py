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
# evidence = "a race on the SIMT machine of warpsmith; not run on a GPU"
# cause = """\
#   warp/native/tile_reduce.h, lines 413, 1032 and 1190: no barrier between the reads of the shared element and its next \
#   store. The branch for the CPU has the second barrier."""
# workaround = "none"
# related = [1941]
# device = "cuda"
# forms = [
#   "level-simt tile=dot_sum|sum|sum_axis storage=* context=* use=*",
# ]
# ///
"""A race between the adjoints of two sums of tiles

The adjoint of wp.tile_sum hands the gradient to all threads through one element of shared memory. A barrier follows the
store, and none follows the reads: the next adjoint of the same type stores another gradient there while slower warps
still read. wp.tile_dot has the same race, and wp.tile_sum(tile, axis=1) in the forward pass. Whether a result is wrong
depends on the timing of the warps; the script compares 1,000 backward passes with the right gradient.
"""

import numpy as np
import warp as wp


@wp.kernel
def tile_sum_race(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=1024)
    s = wp.tile_sum(t)
    r = wp.tile_sum(t * 2.0)
    wp.tile_store(out, s, offset=0)
    wp.tile_store(out, r, offset=1)


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    x = wp.ones(1024, dtype=float, device="cuda:0", requires_grad=True)
    right, warp = 21.0, 21.0
    for _ in range(1000):
        out = wp.zeros(2, dtype=float, device="cuda:0", requires_grad=True)
        with wp.Tape() as tape:
            wp.launch_tiled(tile_sum_race, dim=[1], inputs=[x, out], block_dim=1024, device="cuda:0")
        tape.backward(grads={out: wp.array([1.0, 10.0], dtype=float, device="cuda:0")})
        worst = x.grad.numpy()
        warp = float(worst[np.argmax(np.abs(worst - right))])
        tape.zero()
        if warp != right:
            break
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
