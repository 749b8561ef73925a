"""The builtins of Warp that no kernel calls, with reasons; a test checks that kernels call all others."""

from __future__ import annotations

ABSENT = {
    "array": "creates an array from a pointer, and no argument of a pair is a pointer",
    "block_dim": "depends on the device: the block size of the launch on a GPU, 1 on a CPU",
    "breakpoint": "stops the process in a debugger",
    "select": "deprecated in favor of `where`; Warp rejects it",
}
"""The reasons by name."""
