# Tries to run code while Warp generates the text.
# ruff: noqa: PTH123, S108, SIM115
import warp as wp


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i] + wp.static(float(open("/tmp/warpsmith-marker", "w").write("")))
