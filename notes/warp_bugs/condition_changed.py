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
#   warp/_src/codegen.py, begin_if and begin_else, lines 3432 and 3446: each loads a condition that is a reference, so \
#   that the else branch reads the element again, after the first branch has changed it."""
# workaround = "a comparison: if flags[0] != 0"
# forms = [
#   "forward|level-oracle statement=condition_changed dtype=* index=* shape=*",
# ]
# ///
"""Both branches of an if run if the condition is an element that the first branch changes

For the condition flags[0] Warp generates an if for each branch, with a load of its own. The first branch sets the element
to 0, and the second one runs, too: 2 in place of 1. A third load selects the values of names that both branches assign.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def condition_changed(flags: wp.array(dtype=int), out: wp.array(dtype=float)):
    if flags[0]:
        flags[0] = 0
        out[0] = 1.0
    else:
        out[0] = 2.0


def main() -> int:
    """Print both results, and return 1 if they differ."""
    flags = wp.array([1], dtype=int, device="cpu")
    out = wp.zeros(1, dtype=float, device="cpu")
    wp.launch(condition_changed, 1, [flags, out], device="cpu")
    right, warp = 1.0, float(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
