# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "loops"
# kind = "hang"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_Return and emit_While: the return becomes a jump to the label of the reverse section, \
#   which lies in front of the loop that it left."""
# workaround = "a condition that ends the loop, and the statements of the return after it"
# forms = [
#   "hang exit=return_in_loop context=while_first|while_last target=* operator=* use=* source=*",
# ]
# heavy = true
# ///
"""The backward pass of a kernel with return in a while loop never ends

The forward pass ends. The backward pass repeats the forward statements, jumps from the return to the label of the loop
with unchanged values, and never ends. The script runs the backward pass in a process of its own for ten seconds.
"""

import subprocess
import sys

import warp as wp


@wp.kernel
def return_in_while(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    s = x[i]
    while s < 100.0:
        s = s * 2.0
        if s > 5.0:
            out[i] = s * s
            return


def child() -> int:
    """Run the backward pass."""
    x = wp.array([2.0], dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(1, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(return_in_while, 1, [x, out], device="cpu")
    print("the forward pass ends", flush=True)
    tape.backward(grads={out: wp.ones_like(out)})
    return 0


def main() -> int:
    """Print whether the backward pass ends within ten seconds, and return 1 if it does not."""
    print("right: the backward pass ends")
    command = [sys.executable, __file__, "child"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("the forward"):
                break
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            print("Warp:  the backward pass runs for more than ten seconds")
            return 1
    print("Warp:  the backward pass ends")
    return 0


if __name__ == "__main__":
    raise SystemExit(child() if sys.argv[1:] == ["child"] else main())
