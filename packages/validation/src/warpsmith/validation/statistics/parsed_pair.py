"""One pair with its texts parsed once for all sections; nothing is executed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.records.syntax_walks import walk
from warpsmith.core.similarity.tokens import MAX_CHARACTERS, pair_tokens, python_tokens


class ParsedPair:
    """A pair and its parsed texts.

    A text that cannot be parsed, because it is not Python, too long or nested too deeply, is None.
    """

    def __init__(self, pair: Pair) -> None:
        self.pair = pair

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree of the Python."""
        if len(self.pair.python_source) > MAX_CHARACTERS:
            return None
        try:
            return parse_python(self.pair.python_source)
        except NotPythonError:
            return None

    @property
    def functions(self) -> Iterator[ast.FunctionDef]:
        """The decorated functions at the top level of the file: kernels and helper functions."""
        for statement in self.tree.body if self.tree is not None else ():
            if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
                yield statement

    @cached_property
    def called(self) -> Counter[str]:
        """Calls of ``wp.NAME`` in the functions, counted by name; a conditional expression counts as a call of ``where``."""
        calls: Counter[str] = Counter()
        for node in (node for function in self.functions for node in walk(function)):
            match node:
                case ast.Call(ast.Attribute(ast.Name("wp" | "warp"), name)):
                    calls[name] += 1
                case ast.IfExp():
                    calls["where"] += 1
        return calls

    @cached_property
    def python_tokens(self) -> list[str] | None:
        """The tokens of the Python as text, without comments and empty lines, with line ends and indentation."""
        if self.tree is None:
            return None
        return python_tokens(self.pair.python_source, self.pair.metadata.kernel_name)

    @cached_property
    def cuda_tokens(self) -> list[str] | None:
        """The tokens of the CUDA code, forward and backward, without comments; None if there is no CUDA code."""
        return pair_tokens(self.pair, "cuda")

    @property
    def forward_code(self) -> str | None:
        """The forward code in which calls are counted: CUDA code, or C++ code if there is no CUDA code."""
        text = self.pair.cuda_ir_forward or self.pair.cpp_forward
        return None if text is None or len(text) > MAX_CHARACTERS else text
