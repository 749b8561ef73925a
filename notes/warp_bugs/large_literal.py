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
# cause = "warp/_src/codegen.py, add_constant: every Python int has the type int32."
# workaround = "3.0e9"
# forms = [
#   "forward|level-oracle literal=large|negative_large|hexadecimal index=* shape=* dtype=*",
# ]
# related = [1297]
# ///
"""float(3000000000) is negative

Warp declares the literal as int32 and converts it afterwards. wp.int64(3000000000) and wp.float64(3000000000) are
right.
"""

import warp as wp


@wp.kernel
def large_literal(out: wp.array(dtype=float)):
    out[0] = float(3000000000)


def main() -> int:
    """Print both results, and return 1 if they differ."""
    out = wp.zeros(1, dtype=float, device="cpu")
    wp.launch(large_literal, 1, [out], device="cpu")
    right, warp = 3.0e9, float(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
