"""The builtins of Warp that no kernel calls, with reasons; a test checks that kernels call all others."""

from __future__ import annotations

ABSENT = {
    "array": "makes an array of a pointer, which no argument of a pair is",
    "block_dim": "is what the launch says on a GPU, and 1 on a CPU",
    "breakpoint": "stops the process in a debugger",
    "select": "deprecated for `where`; Warp refuses it",
}
"""The reasons by name."""
