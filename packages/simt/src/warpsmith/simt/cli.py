"""`warpsmith-simt`: run CUDA kernels on a CPU, with checks and counts."""

from __future__ import annotations

import sys

from warpsmith.core.commands import groups, options

EXAMPLES = """\b
Examples:
  warpsmith-simt --version
"""


@groups.group("warpsmith-simt", EXAMPLES)
def cli() -> None:
    """Run CUDA kernels on a CPU: a SIMT machine runs the PTX that NVRTC writes."""


def main() -> None:
    """Run the command line."""
    sys.exit(options.run(cli))
