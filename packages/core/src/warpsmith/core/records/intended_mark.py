"""The comment with which an owner states that an adjoint written by hand is meant to differ from the derivative."""

from __future__ import annotations

import re

COMMENT = "# warpsmith: intended"
"""The comment, on a line of a function's decorators or ``def``, or directly above them."""

_MARK = re.compile(r"#\s*warpsmith:\s*intended\b")


def is_marked(text: str) -> bool:
    """Return whether a text contains the comment.

    Examples:
        >>> is_marked("@wp.func_grad(clip)  # warpsmith: intended")
        True
        >>> is_marked("# intended")
        False
    """
    return _MARK.search(text) is not None
