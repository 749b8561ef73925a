"""The bug report of a reduced pair: Markdown that can be pasted into an issue of the project or of Warp."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpsmith.core.records.pair import Pair


@dataclass(frozen=True, slots=True)
class Shown:
    """What a report says about a reproducer.

    Attributes:
        summary: what is wrong, in one sentence.
        printed: what the reproducer prints.
        environment: the versions that it was made with.
    """

    summary: str
    printed: str
    environment: str


def gradient_report(pair: Pair, reproducer: str, shown: Shown) -> str:
    """Return the report of a wrong gradient with its reproducer."""
    return _joined(
        f"# Wrong gradient of the kernel `{_function(pair)}`",
        f"{shown.summary}{_place(pair)}",
        "## Reproducer",
        "`python reproducer.py` needs Warp and NumPy only. It exits with 1 while the gradient is wrong, else with 0.",
        _fenced(reproducer, "python"),
        "## Output",
        _fenced(shown.printed),
        "## Expected",
        "Warp's adjoint and central differences agree within the tolerance in the file.",
        "## Environment",
        shown.environment,
    )


def fault_report(pair: Pair, level: str, reason: str) -> str:
    """Return the report of a fault that has no reproducer: the kernel, its launch, and the reason of the verdict."""
    launch = pair.metadata.launch
    arguments = (
        []
        if launch is None
        else [f"- `{argument.name}`: {argument.dtype} {list(argument.shape) or ''}" for argument in launch.args]
    )
    return _joined(
        f"# Fault of the kernel `{_function(pair)}`",
        f"Level `{level}` of warpsmith-validate fails: {reason}{_place(pair)}",
        "## Kernel",
        _fenced(pair.python_source, "python"),
        "## Launch",
        "none"
        if launch is None
        else f"dim {launch.dim}, with the arguments\n\n" + "\n".join(line.rstrip() for line in arguments),
        "## Environment",
        f"Warp {pair.metadata.warp_version}",
    )


def _function(pair: Pair) -> str:
    return re.sub(r"[^\w.]", "", pair.metadata.kernel_name)


def _place(pair: Pair) -> str:
    origin = pair.metadata.origin
    return "" if origin is None or not origin.file else f"\n\nThe kernel is reduced from `{origin.file}`, line {origin.line}."


def _joined(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def _fenced(text: str, language: str = "") -> str:
    """Return a code block, whose fence is longer than all backticks in the text."""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall(r"`+", text))])
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
