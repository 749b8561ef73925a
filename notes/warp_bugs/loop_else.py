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
#   warp/_src/codegen.py, emit_While and emit_For, lines 4165 and 4336: neither reads node.orelse."""
# workaround = "a variable that tells whether the loop ended by break, and an if after the loop"
# forms = [
#   "forward|level-oracle statement=for_else|while_else|static_for_else dtype=* index=* shape=*",
# ]
# ///
"""The else of a loop is dropped

Python runs the else of a for or while loop if the loop ends without break. Warp accepts the statement, generates no code
for it, and reports nothing.
"""

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def loop_else(n: int, x: wp.array(dtype=float), out: wp.array(dtype=float)):
    for k in range(n):
        if x[k] < 0.0:
            break
    else:
        out[0] = 1.0


def main() -> int:
    """Print both results, and return 1 if they differ."""
    x = wp.array([2.0, 3.0], dtype=float, device="cpu")
    out = wp.zeros(1, dtype=float, device="cpu")
    wp.launch(loop_else, 1, [2, x, out], device="cpu")
    right, warp = 1.0, float(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
