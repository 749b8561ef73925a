# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "forward"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, materialize_redefinitions, line 4114: the values of the next step are assigned one after the \
#   other, and a later assignment reads a variable that an earlier one has changed."""
# workaround = "three assignments: t = a; a = b; b = t"
# forms = [
#   "forward|level-oracle statement=exchange_in_loop|sum_of_two_in_while dtype=* index=* shape=*",
# ]
# related = [1581]
# ///
"""A tuple assignment that exchanges names in a dynamic loop makes them equal

For a, b = b, a Warp assigns a = b at the end of a step, and then b = a with the new a. After three steps both are 2 in
place of 2 and 1. The result of a, b = b, a + b depends on which of the names is defined first. Outside of loops, and in
loops that Warp unrolls, tuple assignments are right.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def tuple_exchange(n: int, out: wp.array(dtype=float)):
    a = float(1.0)
    b = float(2.0)
    for _ in range(n):
        a, b = b, a
    out[0] = a
    out[1] = b


def main() -> int:
    """Print both results, and return 1 if they differ."""
    out = wp.zeros(2, dtype=float, device="cpu")
    wp.launch(tuple_exchange, 1, [3, out], device="cpu")
    right, warp = [2.0, 1.0], out.numpy().tolist()
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
