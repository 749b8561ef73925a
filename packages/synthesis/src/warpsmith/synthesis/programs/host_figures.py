"""Figures about a program: its lines, those of the host, and the structure of its host code."""

from __future__ import annotations

import ast
import hashlib
import io
import keyword
import tokenize
from dataclasses import dataclass

_OF_DEVICE = ("wp.kernel", "wp.func", "wp.struct")


@dataclass(frozen=True, slots=True)
class ProgramFigures:
    """Figures about a program.

    Attributes:
        lines: the lines that are neither blank nor comments.
        host_lines: those of them outside of kernels, functions and structs of Warp.
        structure: a hash that two programs share if their host code differs in names, numbers and texts only.
    """

    lines: int
    host_lines: int
    structure: str


def figures_of(source: str) -> ProgramFigures:
    """Return the figures of a program."""
    device: set[int] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and any(
            ast.unparse(decorator).partition("(")[0] in _OF_DEVICE for decorator in node.decorator_list
        ):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            device.update(range(start, (node.end_lineno or start) + 1))
    written = {
        number for number, line in enumerate(source.split("\n"), start=1) if line.strip() and not line.lstrip().startswith("#")
    }
    return ProgramFigures(len(written), len(written - device), _structure(source, device))


def _structure(source: str, device: set[int]) -> str:
    words: list[str] = []
    names: dict[str, int] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.start[0] in device or token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            words.append(f"_{names.setdefault(token.string, len(names))}")
        elif token.type in (tokenize.NUMBER, tokenize.STRING):
            words.append("0")
        else:
            words.append(token.string)
    return hashlib.blake2b(" ".join(words).encode(), digest_size=8).hexdigest()
