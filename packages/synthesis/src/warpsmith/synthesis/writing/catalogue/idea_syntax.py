"""The Python of the catalogue's texts: its grammar, and the names that it reads."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator

from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError
from warpsmith.synthesis.writing.catalogue.usage import Text
from warpsmith.synthesis.writing.ideas.notation import HELPER
from warpsmith.synthesis.writing.ideas.tree import Node, render

BLOCK = "block"
"""The key of the number of threads per block, which is no row."""

PYTHON_WORDS = frozenset({*dir(builtins), *keyword.kwlist, "wp", "math", "Any", "Callable"})
"""Words that every kernel may contain."""

_EACH = re.compile(r"^( *)each \w+:$", re.MULTILINE)
_PLACE = re.compile(r"^( *)(?:hook \w+|body)$", re.MULTILINE)


def as_python(kind: str, body: list[Node], nodes: list[Node]) -> tuple[str, int]:
    """Return a rendering of a row of this kind as Python, and the number of lines before its own ones.

    Keys of parameters, locals and helpers start with ``p_``, ``v_`` and ``f_`` there.
    """
    if kind == "helper" or (kind == "local" and len(nodes) == 1 and not nodes[0].defines):
        source, first = "\n".join(render(body)), 0
    else:
        source, first = "def idea():\n" + "\n".join(render(body, 1)) + "\n    pass", 1
    source = _PLACE.sub(r"\1pass", _EACH.sub(r"\1while True:", source)).replace(f"{{{BLOCK}}}", "32")
    source = source.replace("{", "p_").replace("}", "").replace("$", "v_")
    return (HELPER.sub(r"f_\1", source).replace("f_wp.", "@wp.") if "@" in source else source), first


def check_syntax(
    text: Text, body: list[Node], nodes: list[Node], numbers: dict[int, int], known: frozenset[str]
) -> Iterator[CatalogueError]:
    """Yield the mistakes in the Python of one rendering: its grammar, and names that are neither keys nor ``known``.

    Args:
        text: the text.
        body: the statements of the rendering.
        nodes: the same, in the order of their lines.
        numbers: the numbers of their lines in the file.
        known: the names that the text may read.
    """
    source, first = as_python(text.row.kind, body, nodes)

    def place(line: int | None) -> int:
        at = min(max((line or 1) - 1 - first, 0), len(nodes) - 1)
        return numbers.get(id(nodes[at]), text.start)

    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        yield CatalogueError(text.path, place(error.lineno), f"this is no Python: {error.msg}")
        return
    for name, line in _unknown_names(source, tree, known):
        yield CatalogueError(text.path, place(line), f"unknown name {name!r}: a local is ${name}, a parameter {{{name}}}")
    if text.row.kind == "helper":
        for name, line in _unassigned(tree):
            yield CatalogueError(text.path, place(line), f"${name} is neither a parameter of the function nor assigned in it")


_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?![\w]| *=(?!=))")
_NO_NAMES = re.compile(r"#.*|\"[^\"\n]*\"|^def idea")
_KEYS = ("p_", "v_", "f_")
"""What keys of parameters, locals and helpers start with in a text that is parsed."""


def _unknown_names(source: str, tree: ast.AST, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Yield the names that a text reads and that neither it, nor Python, nor a helper of its domain defines."""
    words = set(_WORD.findall(_NO_NAMES.sub("", source)))
    if not any(word not in known and not word.startswith(_KEYS) for word in words):
        return  # almost always: the syntax tree takes longer to walk
    for name, line in _unbound(tree):
        if name not in known and not name.startswith(_KEYS):
            yield name, line


def _unassigned(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the keys of locals that a helper reads and that no parameter or assignment of it has."""
    for name, line in _unbound(tree):
        if name.startswith("v_"):
            yield name.removeprefix("v_"), line


def _unbound(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a text reads, and that are no function, class or parameter in it and are not assigned in it."""
    nodes = list(ast.walk(tree))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in bound:
            yield node.id, node.lineno
