"""The builtins of Warp that no kernel calls, and why; a test goes through the registry and finds every other one in kernels."""

from __future__ import annotations

ABSENT = {
    "block_dim": "is what the launch says on a GPU, and 1 on a CPU",
    "breakpoint": "stops the process in a debugger",
    "print": "writes to the output of whoever runs the kernel, in no order on a GPU",
    "printf": "writes to the output of whoever runs the kernel, in no order on a GPU",
    "expect_near": "writes to the output of whoever runs the kernel where two values differ",
    "select": "deprecated for `where`; Warp refuses it",
}
"""Reasons by name."""
