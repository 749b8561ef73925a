"""The sizes of samples, as ``--sample`` of all commands names them."""

from __future__ import annotations

import math
import re
import sys

from warpsmith.core.errors import WarpsmithError, single_line

MAX_SHOWN_CHARACTERS = 80
"""The most characters of an argument that an error repeats."""


def sample_size(text: str, count: int) -> int:
    """Return the number of pairs that ``"1%"``, ``"500"`` or ``"all"`` means, at most ``count``.

    Raises:
        WarpsmithError: if ``text`` has none of these forms.

    Examples:
        >>> sample_size("1%", 250), sample_size("500", 250), sample_size("all", 250)
        (3, 250, 250)
    """
    if text == "all" or (text.isdecimal() and len(text) > len(str(sys.maxsize))):
        return count
    match = re.fullmatch(r"([0-9]+)|([0-9]{1,18}(?:\.[0-9]{1,18})?)%", text)
    if match is None or (match[2] and float(match[2]) > 100.0):
        raise WarpsmithError(
            f"--sample is a number of pairs, a percentage such as 1%, or 'all', not {single_line(text, MAX_SHOWN_CHARACTERS)!r}"
        )
    return min(int(match[1]) if match[1] else math.ceil(count * float(match[2]) / 100.0), count)
