"""Rendering: a tree -> the Python file, in the style of handwritten code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import Array, Const, Expr, Function, Kernel, OpaqueParameter, Param, Scalar, Stmt
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, VEC2, VEC3, VEC4, WARP_SPELLING, Type

# Binding strength of the outermost operator of an expression, as in Python's grammar.
_TERNARY, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(9)

_BINARY = {"add": ("+", _SUM), "sub": ("-", _SUM), "mul": ("*", _PRODUCT), "div": ("/", _PRODUCT), "mod": ("%", _PRODUCT),
           "floordiv": ("//", _PRODUCT)}  # fmt: skip
_CASTS = {"float": "float", "int": "int"}
_AUGMENTED = {"add": "+=", "sub": "-=", "mul": "*="}
_LETTERS = "xyzw"
_PLAIN = (FLOAT, INT, BOOL)
INDENT = "    "


class Style(Struct, frozen=True, gc=False):
    """The choices of spelling that differ between authors and do not change the meaning.

    Attributes:
        warp_scalars: write ``wp.float32`` instead of ``float``.
        subscripted: write ``wp.array[float]`` instead of ``wp.array(dtype=float)``.
        numbered: write ``wp.array2d(…)`` instead of ``wp.array(…, ndim=2)``.
    """

    warp_scalars: bool = False
    subscripted: bool = False
    numbered: bool = True


def render(kernel: Kernel, style: Style) -> str:
    """Return the whole file: imports, constants, helper functions, the kernel, and an overload if the kernel is generic."""
    imports = [block for block in kernel.preface if block.startswith("from ")]
    lines = [*imports, *[""] * bool(imports), "import warp as wp", ""]
    for constant in kernel.constants:
        text = _literal(constant.value)
        lines.append(f"{constant.name} = wp.constant({text})" if constant.wrapped else f"{constant.name} = {text}")
    lines += [""] * bool(kernel.constants)
    for block in kernel.preface:
        if block in imports:
            continue
        lines += ["", *block.splitlines(), ""]
    for function in kernel.functions:
        lines += ["", *_function(function, style), ""]
    lines += [
        "",
        "@wp.kernel",
        *_signature(kernel.name, [_parameter(param, style, kernel.generic) for param in kernel.params], ""),
    ]
    if kernel.doc:
        lines.append(f'{INDENT}"""{kernel.doc}"""')
    _block(kernel.body, INDENT, lines)
    return "\n".join(lines + _overload(kernel, style)) + "\n"


def _overload(kernel: Kernel, style: Style) -> list[str]:
    """Write the overload of a generic kernel: the types of all parameters in order, or of the generic ones by name."""
    named = [_parameter(param, style).split(": ", 1) for param in kernel.params if param.name in kernel.generic]
    if not named:
        return []
    types = [f'"{name}": {kind}' for name, kind in named]
    if not style.numbered:
        types = [_parameter(param, style).split(": ", 1)[1] for param in kernel.params]
    opening, closing = "{}" if style.numbered else "[]"
    line = f"wp.overload({kernel.name}, {opening}{', '.join(types)}{closing})"
    if len(line) <= 100:
        return ["", "", line]
    rows = [f"{INDENT}{INDENT}{kind}," for kind in types]
    return ["", "", "wp.overload(", f"{INDENT}{kernel.name},", f"{INDENT}{opening}", *rows, f"{INDENT}{closing},", ")"]


def _function(function: Function, style: Style) -> list[str]:
    result = f" -> {_spelling(function.result, style)}" if function.annotated else ""
    lines = ["@wp.func", *_signature(function.name, [_parameter(param, style) for param in function.params], result)]
    if function.doc:
        lines.append(f'{INDENT}"""{function.doc}"""')
    _block(function.body, INDENT, lines)
    return lines


def _signature(name: str, params: list[str], result: str) -> list[str]:
    line = f"def {name}({', '.join(params)}){result}:"
    if len(line) <= 100:
        return [line]
    return [f"def {name}(", *(f"{INDENT}{param}," for param in params), f"){result}:"]


def _parameter(param: Param, style: Style, generic: tuple[str, ...] = ()) -> str:
    if isinstance(param, OpaqueParameter):
        return f"{param.name}: {param.annotation}"
    kind = _spelling(param.type if isinstance(param, Scalar) else param.element, style)
    if param.name in generic:
        kind = "Any"
    return f"{param.name}: {kind if isinstance(param, Scalar) else _array(param, kind, style)}"


def _spelling(kind: Type, style: Style) -> str:
    return WARP_SPELLING.get(kind.name, kind.spelling) if style.warp_scalars else kind.spelling


def _array(array: Array, element: str, style: Style) -> str:
    ndim = len(array.dims)
    suffix = "" if ndim == 1 else f"{ndim}d"
    if style.subscripted:
        return f"wp.array{suffix}[{element}]"
    if ndim == 1 or style.numbered:
        return f"wp.array{suffix}(dtype={element})"
    return f"wp.array(dtype={element}, ndim={ndim})"


# ------------------------------------------------------------------------------------------------------------- statements


def _block(body: tuple[Stmt, ...], indent: str, lines: list[str]) -> None:
    for statement in body:
        _STATEMENTS[type(statement)](statement, indent, lines)


def _assign(node: nodes.Assign, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}{node.name} = {render_expression(node.value)}")


def _declare(node: nodes.Declare, indent: str, lines: list[str]) -> None:
    value = render_expression(node.value)
    if isinstance(node.value, Const):  # a plain literal would be a constant, which a loop must not change
        value = f"{'float' if node.value.type is FLOAT else 'int'}({value})"
    lines.append(f"{indent}{node.name} = {value}")


def _augment(node: nodes.Augment, indent: str, lines: list[str]) -> None:
    target = node.name if node.at is None else f"{node.name}[{node.at}]"
    lines.append(f"{indent}{target} {_AUGMENTED[node.key]} {render_expression(node.value)}")


def _store(node: nodes.Store, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}{node.array}[{_list(node.indices)}] = {render_expression(node.value)}")


def _atomic(node: nodes.Atomic, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}wp.{node.key}({node.array}, {_list(node.indices)}, {render_expression(node.value)})")


def _threads(node: nodes.Threads, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}{', '.join(name.name for name in node.names)} = wp.tid()")


def _if(node: nodes.If, indent: str, lines: list[str], word: str = "if") -> None:
    lines.append(f"{indent}{word} {render_expression(node.condition)}:")
    _block(node.body, indent + INDENT, lines)
    if len(node.orelse) == 1 and isinstance(node.orelse[0], nodes.If):
        _if(node.orelse[0], indent, lines, "elif")
    elif node.orelse:
        lines.append(f"{indent}else:")
        _block(node.orelse, indent + INDENT, lines)


def _for(node: nodes.For, indent: str, lines: list[str]) -> None:
    start = "" if isinstance(node.start, Const) and node.start.value == 0 else f"{render_expression(node.start)}, "
    lines.append(f"{indent}for {node.counter.name} in range({start}{render_expression(node.stop)}):")
    _block(node.body, indent + INDENT, lines)


def _while(node: nodes.While, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}while {render_expression(node.condition)}:")
    _block(node.body, indent + INDENT, lines)


def _jump(node: nodes.Jump, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}{node.word}")


def _return(node: nodes.Return, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}return {render_expression(node.value)}")


def _comment(node: nodes.Comment, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}# {node.text}")


def _raw_statement(node: nodes.RawStatement, indent: str, lines: list[str]) -> None:
    written = node.text.format(*map(render_expression, node.args))
    lines += [f"{indent}{line}" if line else "" for line in written.splitlines()]


_STATEMENTS: dict[type, Callable[[Any, str, list[str]], None]] = {
    nodes.Assign: _assign,
    nodes.Declare: _declare,
    nodes.Augment: _augment,
    nodes.Store: _store,
    nodes.Atomic: _atomic,
    nodes.Threads: _threads,
    nodes.If: _if,
    nodes.For: _for,
    nodes.While: _while,
    nodes.Jump: _jump,
    nodes.Return: _return,
    nodes.Comment: _comment,
    nodes.RawStatement: _raw_statement,
}


# ------------------------------------------------------------------------------------------------------------ expressions


def render_expression(expr: Expr) -> str:
    """Return the source text of an expression."""
    return _EXPRESSIONS[type(expr)](expr)[0]


def _list(exprs: tuple[Expr, ...]) -> str:
    return ", ".join(render_expression(expr) for expr in exprs)


def _operand(expr: Expr, strength: int) -> str:
    """Return the text of an operand, in parentheses if it binds less tightly than its operator."""
    written, inner_strength = _EXPRESSIONS[type(expr)](expr)
    return written if inner_strength >= strength else f"({written})"


def _literal(const: Const) -> str:
    return repr(const.value)


def _const(node: Const) -> tuple[str, int]:
    if node.type not in _PLAIN:
        return f"{node.type.spelling}({node.value!r})", _ATOM
    return repr(node.value), _ATOM if node.value >= 0 else _UNARY


def _apply(node: nodes.Apply) -> tuple[str, int]:
    if node.key in _BINARY:
        operator, strength = _BINARY[node.key]
        left, right = node.args
        return f"{_operand(left, strength)} {operator} {_operand(right, strength + 1)}", strength
    if node.key == "neg":
        return f"-{_operand(node.args[0], _UNARY)}", _UNARY
    return f"{_CASTS.get(node.key, f'wp.{node.key}')}({_list(node.args)})", _ATOM


def _ternary(node: nodes.Ternary) -> tuple[str, int]:
    then, condition, other = (_operand(part, _OR) for part in (node.then, node.condition, node.other))
    return f"{then} if {condition} else {other}", _TERNARY


def _compare(node: nodes.Compare) -> tuple[str, int]:
    written = _operand(node.operands[0], _SUM)
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        written += f" {operator} {_operand(operand, _SUM)}"
    return written, _COMPARE


def _logic(node: nodes.Logic) -> tuple[str, int]:
    if node.operator == "not":
        return f"not {_operand(node.operands[0], _NOT)}", _NOT
    strength = _AND if node.operator == "and" else _OR
    return f" {node.operator} ".join(_operand(part, strength + 1) for part in node.operands), strength


def _component(node: nodes.Component) -> tuple[str, int]:
    value = _operand(node.value, _ATOM)
    index = node.indices[0]
    if node.letters and isinstance(index, Const) and node.value.type in (VEC2, VEC3, VEC4):
        return f"{value}.{_LETTERS[int(index.value)]}", _ATOM
    return f"{value}[{_list(node.indices)}]", _ATOM


_EXPRESSIONS: dict[type, Callable[[Any], tuple[str, int]]] = {
    nodes.Name: lambda node: (node.name, _ATOM),
    nodes.Const: _const,
    nodes.Apply: _apply,
    nodes.Call: lambda node: (f"{node.function}({_list(node.args)})", _ATOM),
    nodes.Construct: lambda node: (f"{node.type.spelling}({_list(node.args)})", _ATOM),
    nodes.Load: lambda node: (f"{node.array}[{_list(node.indices)}]", _ATOM),
    nodes.Component: _component,
    nodes.Ternary: _ternary,
    nodes.Compare: _compare,
    nodes.Logic: _logic,
    nodes.Size: lambda node: (f"{node.array}.shape[{node.dimension}]", _ATOM),
}
