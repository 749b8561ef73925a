"""The builtins of Warp that no kernel calls, and why; a test goes through the registry and finds every other one in kernels."""

from __future__ import annotations

ABSENT = {
    "breakpoint": "stops the process in a debugger",
    "print": "writes to the output of whoever runs the kernel, in no order on a GPU",
    "printf": "writes to the output of whoever runs the kernel, in no order on a GPU",
    "expect_near": "writes to the output of whoever runs the kernel where two values differ",
    "select": "deprecated for `where`; Warp 1.19 refuses it",
    "array": "a view of an address, which no record can hold",
}
"""Reasons by name."""
