# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "tiles"
# kind = "crash"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py: the assignment in the loop moves the tile to a variable whose adjoint has no storage."""
# workaround = "another name for the tile in the loop"
# forms = [
#   "crash tile=reload storage=* context=*",
# ]
# heavy = true
# ///
"""A tile in shared memory that a loop loads again has no gradient memory

The adjoint of the second assignment uses a null pointer. In debug mode Warp's assertion of the pointer fails on the
CPU, which ends the process; the script runs it in a process of its own.
"""

import subprocess
import sys

import numpy as np
import warp as wp


@wp.kernel(module="unique")
def tile_loaded_again(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    t = wp.tile_zeros(shape=8, dtype=float)
    u = wp.tile_load(x, shape=8, storage="shared")
    for j in range(n):
        u = wp.tile_load(x, shape=8, storage="shared")
        t += u
    wp.tile_store(out, t)


def child() -> int:
    """Run the backward pass in debug mode."""
    wp.config.mode = "debug"
    x = wp.array(np.arange(8.0), dtype=float, device="cpu", requires_grad=True)
    out = wp.zeros(8, dtype=float, device="cpu", requires_grad=True)
    with wp.Tape() as tape:
        wp.launch_tiled(tile_loaded_again, dim=[1], inputs=[x, 2, out], block_dim=32, device="cpu")
    tape.backward(grads={out: wp.ones_like(out)})
    print("gradient", x.grad.numpy().tolist(), flush=True)
    return 0


def main() -> int:
    """Print whether the backward pass ends normally with the right gradient, and return 1 if it does not."""
    done = subprocess.run([sys.executable, __file__, "child"], capture_output=True, text=True, check=False)
    found = [line for line in done.stdout.splitlines() if line.startswith("gradient")]
    right = f"gradient {[2.0] * 8}"
    print("right:", right)
    print("Warp: ", found[0] if found else f"the process ends with {done.returncode}: {done.stderr.strip()[-100:]}")
    return int(found != [right])


if __name__ == "__main__":
    raise SystemExit(child() if sys.argv[1:] == ["child"] else main())
