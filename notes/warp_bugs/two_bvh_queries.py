# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "gpu"
# kind = "forward"
# status = "known"
# issues = [1258]
# versions = ["1.19.0"]
# evidence = "wrong on an NVIDIA H200 and on the SIMT machine of warpsmith"
# cause = """\
#   warp/native/bvh.h, line 524, and mesh.h, line 2104: the __shared__ array is a static variable of the function."""
# workaround = "one query in a kernel"
# device = "cuda"
# ///
"""Two BVH queries of a thread share one stack on a GPU

All queries of a thread have the same stack in shared memory. The second query replaces the entries of the first one,
which then finds too few boxes or other ones.
"""

import numpy as np
import warp as wp


@wp.kernel
def two_bvh_queries(tree: wp.uint64, out: wp.array(dtype=int)):
    lower, upper = wp.vec3(0.0, 0.0, 0.0), wp.vec3(64.0, 1.0, 1.0)
    first = wp.bvh_query_aabb(tree, lower, upper)
    second = wp.bvh_query_aabb(tree, lower, upper)
    box = int(0)
    found = int(0)
    while wp.bvh_query_next(first, box):
        found += 1
    while wp.bvh_query_next(second, box):
        found += 1
    out[0] = found


def main() -> int:
    """Print both results, and return 1 if they differ; 77 without a CUDA device."""
    if not wp.is_cuda_available():
        print("not run: this bug needs a CUDA device")
        return 77
    corners = np.array([[i, 0.0, 0.0] for i in range(64)])
    low = wp.array(corners, dtype=wp.vec3, device="cuda:0")
    high = wp.array(corners + 0.5, dtype=wp.vec3, device="cuda:0")
    tree = wp.Bvh(low, high)
    out = wp.zeros(1, dtype=int, device="cuda:0")
    wp.launch(two_bvh_queries, 1, [tree.id, out], device="cuda:0")
    right, warp = 128, int(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(not np.allclose(warp, right, rtol=0.01, atol=0.01))


if __name__ == "__main__":
    raise SystemExit(main())
