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
# cause = """\
#   warp/_src/codegen.py, emit_Assign, line 5620: the branch for tuples binds each name to the reference of the element, \
#   without the copy that a single assignment makes."""
# workaround = "an assignment for each name: a = x[0] and b = x[1]"
# forms = [
#   "forward|level-oracle statement=exchange_elements|elements_before_store dtype=* index=* shape=*",
# ]
# related = [1947]
# ///
"""Names of a tuple assignment of elements are read from the array at each use

a = x[0] copies the element, a, b = x[0], x[1] does not. If the array changes between the assignment and a use, the use
reads the new element: an exchange of two elements makes both equal.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def tuple_elements(x: wp.array(dtype=float)):
    a, b = x[0], x[1]
    x[0] = b
    x[1] = a


def main() -> int:
    """Print both results, and return 1 if they differ."""
    x = wp.array([1.0, 2.0], dtype=float, device="cpu")
    wp.launch(tuple_elements, 1, [x], device="cpu")
    right, warp = [2.0, 1.0], x.numpy().tolist()
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
