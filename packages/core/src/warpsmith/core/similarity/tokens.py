"""The tokens of a text, the units of comparison. Comments and insignificant layout are ignored."""

from __future__ import annotations

import re

from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError
from warpsmith.core.records.python_tokens import split_tokens

MAX_CHARACTERS = 1 << 20
"""The longest text that is tokenized, ten times the longest that Warp generates for known kernels."""

KERNEL_NAME_PLACEHOLDER = "_kernel_"
"""The token that replaces the name of the pair's kernel."""

_CODE_TOKEN = re.compile(
    r"""
      //[^\n]* | /\*(?s:.*?)(?:\*/|\Z)                                # comments, which quote the Python: not captured
    | ( "(?:\\.|[^"\\\n])*"? | [^\W\d]\w* | \d[\w.]*(?:(?<=[eE])[+-]\d+)? | :: | -> | \S )
    """,
    re.VERBOSE,
)


def python_tokens(source: str, kernel_name: str = "") -> list[str] | None:
    """Return the tokens of Python, including the ends of lines and indentation.

    Args:
        source: the text of a file.
        kernel_name: the name of the kernel, which is replaced by `KERNEL_NAME_PLACEHOLDER`.

    Returns:
        The tokens, or None if the text is not Python or is too long.

    Examples:
        >>> python_tokens("x = f(x)  # again", kernel_name="f")
        ['x', '=', '_kernel_', '(', 'x', ')', '<newline>']
    """
    if len(source) > MAX_CHARACTERS:
        return None
    try:
        texts = split_tokens(source).texts
    except NotPythonError:
        return None
    return [KERNEL_NAME_PLACEHOLDER if text == kernel_name else text for text in texts]


def code_tokens(text: str) -> list[str] | None:
    """Return the tokens of C++ or CUDA, or None if the text is empty or too long."""
    if not text or len(text) > MAX_CHARACTERS:
        return None
    return [token for token in _CODE_TOKEN.findall(text) if token]


def pair_tokens(pair: Pair, target: str) -> list[str] | None:
    """Return the tokens of a pair's code, forward and backward, for ``"cpu"`` or ``"cuda"``, or None if it has none."""
    text = "".join(part or "" for part in pair.code(target))
    if len(text) > MAX_CHARACTERS:
        return None
    return code_tokens(text.replace(text_format.kernel_prefix(pair.metadata.kernel_name, target), KERNEL_NAME_PLACEHOLDER))
