"""What the rooms share: one pair, its texts taken apart once, and nothing of it executed."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from warpsmith.extraction.record import Pair

MOST_CHARACTERS = 1 << 20
"""The longest text that is taken apart; the largest that Warp writes for known kernels are a tenth of that."""

_CUDA_TOKEN = re.compile(
    r"""
      //[^\n]* | /\*(?s:.*?)(?:\*/|\Z)                                # comments, which repeat the Python: not captured
    | ( "(?:\\.|[^"\\\n])*"? | [^\W\d]\w* | \d[\w.]*(?:(?<=[eE])[+-]\d+)? | :: | -> | \S )
    """,
    re.VERBOSE,
)

_LEFT_OUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
_LAYOUT = {tokenize.NEWLINE: "<newline>", tokenize.INDENT: "<indent>", tokenize.DEDENT: "<dedent>"}

OWN_NAME = "_kernel_"
"""Stands for the name of the pair's kernel among the tokens."""


class Reading:
    """One pair and what can be read off it.

    What cannot be taken apart, because it is no Python, too long or nested too deeply, is None.
    """

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    @cached_property
    def tree(self) -> ast.Module | None:
        """The Python's syntax tree."""
        if len(self.pair.python_source) > MOST_CHARACTERS:
            return None
        try:
            return ast.parse(self.pair.python_source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @property
    def functions(self) -> Iterator[ast.FunctionDef]:
        """The decorated functions at the top of the file: kernels and what they call."""
        for statement in self.tree.body if self.tree is not None else ():
            if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
                yield statement

    @cached_property
    def called(self) -> Counter[str]:
        """How often the functions call what they name ``wp.…``; a conditional expression is a call of ``where``."""
        found: Counter[str] = Counter()
        for node in (node for function in self.functions for node in ast.walk(function)):
            match node:
                case ast.Call(ast.Attribute(ast.Name("wp" | "warp"), name)):
                    found[name] += 1
                case ast.IfExp():
                    found["where"] += 1
        return found

    @cached_property
    def python_tokens(self) -> list[str] | None:
        """The Python's tokens as text; comments and empty lines left out, ends of lines and indentation kept."""
        if self.tree is None:
            return None
        name, found = self.pair.metadata.kernel_name, []
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.pair.python_source).readline):
                if token.type not in _LEFT_OUT:
                    text = _LAYOUT.get(token.type, token.string)
                    found.append(OWN_NAME if text == name else text)
        except (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return found

    @cached_property
    def cuda_tokens(self) -> list[str] | None:
        """The tokens of the CUDA text, forward and backward, without comments; None where there is none."""
        text = "".join(part or "" for part in self.pair.code("cuda"))
        if not text or len(text) > MOST_CHARACTERS:
            return None
        own = f"{self.pair.metadata.kernel_name}_cuda_kernel_"
        return [token for token in _CUDA_TOKEN.findall(text.replace(own, OWN_NAME)) if token]

    @property
    def generated(self) -> str | None:
        """The forward text that calls are read from: CUDA's, or else C++'s."""
        text = self.pair.cuda_ir_forward or self.pair.cpp_forward
        return None if text is None or len(text) > MOST_CHARACTERS else text
