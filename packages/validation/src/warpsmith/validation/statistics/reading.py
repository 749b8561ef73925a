"""What the rooms share: one pair, its texts taken apart once, and nothing of it executed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.similarity.tokens import MOST_CHARACTERS, pair_tokens, python_tokens


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
            return parse_python(self.pair.python_source)
        except NotPythonError:
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
        return python_tokens(self.pair.python_source, self.pair.metadata.kernel_name)

    @cached_property
    def cuda_tokens(self) -> list[str] | None:
        """The tokens of the CUDA text, forward and backward, without comments; None where there is none."""
        return pair_tokens(self.pair, "cuda")

    @property
    def generated(self) -> str | None:
        """The forward text that calls are read from: CUDA's, or else C++'s."""
        text = self.pair.cuda_ir_forward or self.pair.cpp_forward
        return None if text is None or len(text) > MOST_CHARACTERS else text
