"""The look of a kernel: its decorator, and how many comments and blank lines it keeps."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.random_stream import RandomStream

COMMENT_SHARES = (1.0, 1.0, 1.0, 1.0, 0.6, 0.6, 0.0)
"""The shares of comments that a kernel keeps, each as often as it is likely."""

BLANK_CHANCE = 0.75
"""The probability that a kernel keeps its blank lines."""

DECORATORS = (
    *("@wp.kernel",) * 8,
    '@wp.kernel(module="unique")',
)
FORWARD_DECORATORS = (
    *("@wp.kernel(enable_backward=False)",) * 5,
    '@wp.kernel(module="unique", enable_backward=False)',
    '@wp.kernel(enable_backward=False, module="unique")',
)
LAUNCH_DECORATORS = ("@wp.kernel(grid_stride=False)", "@wp.kernel(launch_bounds=128)", "@wp.kernel(launch_bounds=256)")
"""The lines above kernels, each as often as it is likely; the last ones change how a kernel is launched."""


def style_lines(lines: Sequence[str], rng: RandomStream) -> list[str]:
    """Keep all, some or no comments, and all or no blank lines."""
    share = rng.choice(COMMENT_SHARES)
    blanks = rng.chance(BLANK_CHANCE)
    kept: list[str] = []
    for line in lines:
        if line.lstrip().startswith("#"):
            if rng.chance(share):
                kept.append(line)
        elif line.strip():
            if line.lstrip().startswith(("elif ", "else:")) and kept and not kept[-1]:
                kept.pop()
            kept.append(line)
        elif blanks and kept and kept[-1].strip() and not kept[-1].rstrip().endswith(":"):
            kept.append("")
    while kept and not kept[-1].strip():
        kept.pop()
    return kept
