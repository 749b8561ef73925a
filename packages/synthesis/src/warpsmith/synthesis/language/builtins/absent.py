"""The builtins of Warp that no kernel calls, and why; a test goes through the registry and finds every other one in kernels."""

from __future__ import annotations

ABSENT = {
    "array": "makes an array of a pointer, which no argument of a pair is",
    "block_dim": "is what the launch says on a GPU, and 1 on a CPU",
    "breakpoint": "stops the process in a debugger",
    "select": "deprecated for `where`; Warp refuses it",
}
"""Reasons by name."""
