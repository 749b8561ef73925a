# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "gpu"
# kind = "forward"
# status = "new"
# issues = []
# versions = ["1.19.0"]
# evidence = "wrong in CUDA code that runs on the CPU over several grids; not run on a GPU"
# cause = """\
#   warp/_src/codegen.py, codegen_kernel for CUDA: the grid-stride loop encloses the body, and the arguments are \
#   variables outside of it."""
# workaround = "a copy of the argument: q = p + wp.vec3(1.0, 0.0, 0.0)"
# device = "cuda"
# forms = [
#   "level-emulate|level-oracle|level-simt target=argument|argument_component|argument_member operator=* context=* use=* initial=* source=* builtin=* call=* index=* shape=*",
# ]
# ///
"""An argument that a kernel changes keeps its value for the next elements of a thread on a GPU

A kernel changes its argument, a component of a vector. On the CPU each thread has the argument of the launch. In CUDA
code the thread runs several elements in a grid-stride loop, and the change of one element persists for the next one.
The launch is limited to one block, so that each thread has several elements; large launches have the same effect
without the limit.
"""

import numpy as np
import warp as wp


@wp.kernel(enable_backward=False)
def argument_over_grid(p: wp.vec3, out: wp.array(dtype=float)):
    i = wp.tid()
    p[0] += 1.0
    out[i] = p[0]


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    out = wp.zeros(1024, dtype=float, device="cuda:0")
    wp.launch(argument_over_grid, 1024, [wp.vec3(0.0, 0.0, 0.0), out], max_blocks=1, block_dim=256, device="cuda:0")
    right, warp = [1.0, 1.0], [float(out.numpy().min()), float(out.numpy().max())]
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
