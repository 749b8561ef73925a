"""The tokens of a text: what is compared when texts are. Comments and layout that means nothing are left out."""

from __future__ import annotations

import re
import tokenize

from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, tokenize_python

MOST_CHARACTERS = 1 << 20
"""The longest text that is taken apart; the largest that Warp writes for known kernels are a tenth of that."""

OWN_NAME = "_kernel_"
"""Stands for the name of the pair's kernel among the tokens."""

_CODE_TOKEN = re.compile(
    r"""
      //[^\n]* | /\*(?s:.*?)(?:\*/|\Z)                                # comments, which repeat the Python: not captured
    | ( "(?:\\.|[^"\\\n])*"? | [^\W\d]\w* | \d[\w.]*(?:(?<=[eE])[+-]\d+)? | :: | -> | \S )
    """,
    re.VERBOSE,
)

_LEFT_OUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
_LAYOUT = {tokenize.NEWLINE: "<newline>", tokenize.INDENT: "<indent>", tokenize.DEDENT: "<dedent>"}


def python_tokens(source: str, own_name: str = "") -> list[str] | None:
    """Return the tokens of Python; ends of lines and indentation kept.

    Args:
        source: of a file.
        own_name: the name of the kernel, for which `OWN_NAME` stands.

    Returns:
        The tokens, or None for what is no Python or too long.
    """
    if len(source) > MOST_CHARACTERS:
        return None
    try:
        tokens = tokenize_python(source)
    except NotPythonError:
        return None
    texts = [_LAYOUT.get(token.type, token.string) for token in tokens if token.type not in _LEFT_OUT]
    return [OWN_NAME if text == own_name else text for text in texts]


def code_tokens(text: str) -> list[str] | None:
    """Return the tokens of C++ or CUDA; None for a text that is empty or too long."""
    if not text or len(text) > MOST_CHARACTERS:
        return None
    return [token for token in _CODE_TOKEN.findall(text) if token]


def pair_tokens(pair: Pair, target: str) -> list[str] | None:
    """Return the tokens of a pair's code, forward and backward, for ``"cpu"`` or ``"cuda"``; None where there is none."""
    text = "".join(part or "" for part in pair.code(target))
    if len(text) > MOST_CHARACTERS:
        return None
    return code_tokens(text.replace(text_format.kernel_prefix(pair.metadata.kernel_name, target), OWN_NAME))
