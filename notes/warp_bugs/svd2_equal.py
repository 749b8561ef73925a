# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "forward"
# kind = "forward"
# status = "known"
# issues = [1734]
# versions = ["1.18.0", "1.19.0"]
# cause = "warp/native/svd.h, line 522: discriminant == 0 is treated as a multiple of the identity."
# workaround = "wp.svd3 of the matrix with a third row and column"
# ///
"""svd2 of a rotation returns factors of the identity

For a matrix whose singular values are equal, such as a rotation, wp.svd2 returns the identity for both factors: their
product is not the matrix.
"""

import warp as wp


@wp.kernel
def svd2_equal(m: wp.array(dtype=wp.mat22), out: wp.array(dtype=wp.mat22)):
    u = wp.mat22()
    s = wp.vec2()
    v = wp.mat22()
    wp.svd2(m[0], u, s, v)
    out[0] = u @ wp.diag(s) @ wp.transpose(v)


def main() -> int:
    """Print both results, and return 1 if they differ."""
    m = wp.array([[[0.0, -1.0], [1.0, 0.0]]], dtype=wp.mat22, device="cpu")
    out = wp.zeros(1, dtype=wp.mat22, device="cpu")
    wp.launch(svd2_equal, 1, [m, out], device="cpu")
    right, warp = [[0.0, -1.0], [1.0, 0.0]], out.numpy()[0].tolist()
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
