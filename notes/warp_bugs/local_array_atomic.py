# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "gpu"
# kind = "crash"
# status = "new"
# issues = []
# versions = ["1.19.0"]
# evidence = "the PTX of NVRTC contains the trap; not run on a GPU"
# cause = "warp/_src/codegen.py, emit_AugAssign: array targets become atomic_add, whatever memory they are in."
# workaround = "own[k] = own[k] + 1"
# related = [794]
# device = "cuda"
# forms = [
#   "level-simt|level-compile target=local_element operator=add|sub|add_twice context=*",
# ]
# ///
"""+= on an element of a local array ends a CUDA launch

+= on an element is an atomic addition, also in an array that the thread creates with wp.zeros. Such an array is in
local memory, where a GPU has no atomic operations: NVRTC compiles the addition to trap.
"""

import numpy as np
import warp as wp


@wp.kernel(enable_backward=False)
def local_array_atomic(label: wp.array(dtype=int), out: wp.array(dtype=int)):
    own = wp.zeros(shape=(16,), dtype=int)
    for i in range(label.shape[0]):
        own[label[i]] += 1
    for i in range(16):
        out[i] = own[i]


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    label = wp.array([1, 2, 2, 3], dtype=int, device="cuda:0")
    out = wp.zeros(16, dtype=int, device="cuda:0")
    right = [0, 1, 2, 1] + [0] * 12
    try:
        wp.launch(local_array_atomic, 1, [label, out], device="cuda:0")
        warp = out.numpy().tolist()
    except Exception as error:
        print("Warp: ", error)
        return 1
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
