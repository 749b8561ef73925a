"""The structure of a kernel, without names and constants, and the features that it uses."""

from __future__ import annotations

import hashlib
import keyword
import re
from collections.abc import Callable
from typing import Any

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import Expr, Kernel, Stmt
from warpsmith.synthesis.language.walk import all_parts, blocks, expressions, parts, statements


def hash_structure(kernel: Kernel) -> str:
    """Return a hash that two kernels share if they differ in names and constants only (BLAKE2b, 16 hexadecimal digits)."""
    words: list[str] = []
    numbers: dict[str, int] = {}
    for function in kernel.functions:
        words.append(f"func{function.result.name}")
        words.extend(f"{numbers.setdefault(param.name, len(numbers))}{param.type.name}" for param in function.params)
        _add_body(function.body, words, numbers)
    words.extend(f"{numbers.setdefault(param.name, len(numbers))}{_parameter_type(param)}" for param in kernel.params)
    words.extend(f"{numbers[param.name]}Any" for param in kernel.params if param.name in kernel.generic)
    words.extend(_abstract(block, numbers) for block in kernel.preface)
    _add_body(kernel.body, words, numbers)
    return hashlib.blake2b(" ".join(words).encode(), digest_size=8).hexdigest()


_TAGS: dict[type[Stmt], str] = {nodes.Jump: "Leave", nodes.RawStatement: "Verbatim"}
"""Words of the hash that differ from the class name; the hash is part of the record, so they stay when a class is renamed."""


def _add_body(body: tuple[Stmt, ...], words: list[str], numbers: dict[str, int]) -> None:
    for statement in body:
        words.append(_TAGS.get(type(statement), type(statement).__name__))
        match statement:
            case nodes.Assign(name) | nodes.Declare(name):
                words.append(str(numbers.setdefault(name, len(numbers))))
            case nodes.Augment(name, key, _, at):
                words.append(f"{key}{numbers.setdefault(name, len(numbers))}{'' if at is None else at}")
            case nodes.Store(array):
                words.append(str(numbers.setdefault(array, len(numbers))))
            case nodes.Atomic(key, array):
                words.append(f"{key}{numbers.setdefault(array, len(numbers))}")
            case nodes.For(counter):
                words.append(str(numbers.setdefault(counter.name, len(numbers))))
            case nodes.Jump(word):
                words.append(word)
            case nodes.RawStatement(text):
                words.append(_abstract(text, numbers))
        for expr in expressions(statement):
            _add_expression(expr, words, numbers)
        for block in blocks(statement):
            words.append("{")
            _add_body(block, words, numbers)
            words.append("}")


def _parameter_type(param: nodes.Param) -> str:
    match param:
        case nodes.Array():
            return param.element.name + str(len(param.dims))
        case nodes.Scalar():
            return param.type.name
    return param.annotation


_WORD = re.compile(r"(?<![.\w])(?:\d[\w.]*|[A-Za-z_]\w*)")
_KEPT = frozenset([*keyword.kwlist, "wp", "float", "int", "bool", "range"])


def _abstract(text: str, numbers: dict[str, int]) -> str:
    """Replace names in a text by numbers, and numbers by zero; names after a dot, of Warp or of members, stay."""

    def word(match: re.Match[str]) -> str:
        name = match[0]
        if name[0].isdigit():
            return "0"
        return name if name in _KEPT else f"_{numbers.setdefault(name, len(numbers))}"

    return _WORD.sub(word, text)


def _add_expression(expr: Expr, words: list[str], numbers: dict[str, int]) -> None:
    node_type = type(expr)
    if isinstance(expr, nodes.Name):
        words.append(str(numbers.setdefault(expr.name, len(numbers))))
        return
    spell = _WORDS.get(node_type)
    words.append(spell(expr, numbers) if spell else node_type.__name__)
    inner = parts(expr)
    if inner:
        words.append("(")
        for part in inner:
            _add_expression(part, words, numbers)
        words.append(")")


def _array(expr: Any, numbers: dict[str, int]) -> str:
    return f"{type(expr).__name__}{numbers.setdefault(expr.array, len(numbers))}"


_WORDS: dict[type, Callable[[Any, dict[str, int]], str]] = {
    nodes.Const: lambda expr, _: expr.type.name,
    nodes.Apply: lambda expr, _: expr.key,
    nodes.Call: lambda _, __: "call",
    nodes.Load: _array,
    nodes.Size: _array,
    nodes.Compare: lambda expr, _: "".join(expr.operators),
    nodes.Logic: lambda expr, _: expr.operator,
    nodes.Construct: lambda expr, _: expr.type.name,
}
"""The word for an expression; the default is the name of its class. A table is fast enough for every node of every kernel."""


_STATEMENT_FEATURES = {nodes.If: "if", nodes.For: "for", nodes.While: "while"}
_EXPRESSION_FEATURES = {nodes.Ternary: "ternary", nodes.Compare: "comparison", nodes.Component: "component"}


def list_features(kernel: Kernel) -> tuple[str, ...]:
    """Return the builtins, types and constructs that a kernel uses, sorted."""
    names: set[str] = set()
    for param in kernel.params:
        if isinstance(param, nodes.Array):
            names.update((param.element.name, f"array{len(param.dims)}d"))
        elif isinstance(param, nodes.Scalar):
            names.add(param.type.name)
        else:
            names.add(param.argument.kind)
    if kernel.functions:
        names.add("func")
    for body in (kernel.body, *(function.body for function in kernel.functions)):
        for statement in statements(body):
            names.update(_of_statement(statement))
        names.update(map(_of_expression, all_parts(body)))
    for block in kernel.preface:
        names.update(_of_text(block))
    return tuple(sorted(names - {""}))


def _of_statement(statement: Stmt) -> tuple[str, ...]:
    match statement:
        case nodes.Atomic(key):
            return (key,)
        case nodes.Augment(_, key):
            return (key, "augmented_assignment")
        case nodes.Jump(word):
            return (word,)
        case nodes.Threads():
            return ("tid",)
        case nodes.RawStatement(text):
            return _of_text(text)
    return (_STATEMENT_FEATURES.get(type(statement), ""),)


_MEMBER = re.compile(r"\bwp\.(\w+)")


def _of_text(text: str) -> tuple[str, ...]:
    """Return the members of Warp that a text uses."""
    return tuple(_MEMBER.findall(text))


def _of_expression(expr: Expr) -> str:
    if isinstance(expr, nodes.Apply):
        return expr.key
    if isinstance(expr, nodes.Construct):
        return expr.type.name
    if isinstance(expr, nodes.Logic):
        return expr.operator
    return _EXPRESSION_FEATURES.get(type(expr), "")
