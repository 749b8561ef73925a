"""How much of a kernel's code a text repeats: the share of the code's tokens that occur in the text, in their order."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from warpsmith.core.descriptions.parsed_kernel import ParsedKernel

_TOKEN = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d+)?|\w+|[^\w\s]")

_MODULE = frozenset({"wp", "."})
"""Tokens of Warp's name before its functions, which texts for readers leave out."""


def repeated_share(parsed: ParsedKernel, text: str) -> float:
    """Return the share of the tokens of a kernel's statements that a text contains in their order, from 0 to 1.

    Tokens are names, numbers, operators and brackets. Comments, the docstring, the layout, and Warp's name before its functions
    are none. The tokens in common are the longest common subsequence.
    """
    code = "\n".join(map(ast.unparse, parsed.body))
    tokens = [token for token in _TOKEN.findall(code) if token not in _MODULE]
    return common_in_order(tokens, _TOKEN.findall(text)) / len(tokens) if tokens else 0.0


def common_in_order(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by the algorithm of Hyyrö (2004) on the bits of integers.

    Examples:
        >>> common_in_order("abcde", "xaceb")
        3
    """
    places: dict[str, int] = {}
    for position, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << position
    everything = (1 << len(first)) - 1
    unmatched = everything
    for token in second:
        matched = unmatched & places.get(token, 0)
        unmatched = ((unmatched + matched) | (unmatched - matched)) & everything
    return len(first) - unmatched.bit_count()
