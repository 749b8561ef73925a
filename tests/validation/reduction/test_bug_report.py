"""A bug report contains what an issue needs: a title, the reproducer, its output, what is expected, and the versions."""

from __future__ import annotations

import re
from dataclasses import replace

import known_adjoints as known
from warpsmith.core.records.pair import Origin, Pair
from warpsmith.validation.reduction.bug_report import Shown, fault_report, gradient_report


def pair_with_origin() -> Pair:
    pair: Pair = known.pair_of("sum", known.RIGHT["sum in a loop"])
    return replace(pair, metadata=replace(pair.metadata, origin=Origin(file="sim/cells.py", line=41, launch="captured")))


def test_the_report_of_a_wrong_gradient() -> None:
    text = gradient_report(pair_with_origin(), "print('```')\n", Shown("It is wrong.", "x[0]: 1", "Warp 1.19.0"))
    assert text.startswith(
        "# Wrong gradient of the kernel `kernel`\n\nIt is wrong.\n\nThe kernel is reduced from `sim/cells.py`, line 41."
    )
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Reproducer", "Output", "Expected", "Environment"]
    assert "````python\nprint('```')\n````" in text, "the fence is longer than those in the file"
    assert "```\nx[0]: 1\n```" in text


def test_the_report_of_another_fault() -> None:
    text = fault_report(pair_with_origin(), "execute", "the kernel stops")
    assert "Level `execute` of warpsmith-validate fails: the kernel stops" in text
    assert "- `xx`: float32 [8, 5]" in text
    assert "def kernel(" in text
