"""Text of functions: declarations of variables, followed by the lines that the adjoint object already has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from warpsmith.core.records import text_format
from warpsmith.extraction.accelerate.type_keys import ARRAYS, ArrayAnnotation, Reference, Struct, Var
from warpsmith.extraction.warp.private import PRIVATE

_codegen = PRIVATE["codegen"]

_ARGUMENTS = (text_format.SECTION_RULE, text_format.ARGUMENT_SECTION)
_PRIMAL = (text_format.SECTION_RULE, text_format.PRIMAL_SECTION)
_DUAL = (text_format.SECTION_RULE, text_format.DUAL_SECTION)
_FORWARD = (text_format.SECTION_RULE, text_format.FORWARD_SECTION)
_REVERSE = (text_format.SECTION_RULE, text_format.REVERSE_SECTION)
"""The comments that open each section of a function."""

_FORWARD_ARGUMENTS, _ADJOINT_ARGUMENTS = text_format.ARGUMENT_VARIABLES.values()


def writes_lines(adj: Any) -> bool:
    """Return whether the text contains line directives for debuggers and profilers."""
    options = adj.builder_options
    return bool(options.get("lineinfo", False)) or options.get("mode", "release") == "debug"


def get_line_directive(stock: Callable[..., str | None]) -> Callable[..., str | None]:
    """Skip the search for line directives unless debug information is requested."""

    def faster(adj: Any, statement: str, relative_lineno: int | None = None) -> str | None:
        return stock(adj, statement, relative_lineno) if writes_lines(adj) else None

    return faster


class FunctionText:
    """The text of a forward function and of its adjoint, which share the declarations of variables."""

    def __init__(self) -> None:
        self._variables: Any = None
        self._declarations: list[str] | None = None

    def codegen_func_forward(self, stock: Callable[..., str]) -> Callable[..., str]:
        """Assemble the text of the forward function."""

        def faster(adj: Any, func_type: str = "kernel", device: str = "cpu", grid_stride: bool = False) -> str:
            primal = self._primal(adj)
            body = adj.blocks[0].body_forward
            if primal is None or _has_directives(body):
                return stock(adj, func_type, device, grid_stride)
            is_kernel = func_type == "kernel"
            if grid_stride and is_kernel and device == "cuda":
                body = [line.replace("return;", "continue;") if _returns(line) else line for line in body]
            lines = [*_arguments(adj, False)] if is_kernel and device == "cpu" else []
            lines += [*_PRIMAL, *primal, *_FORWARD, *body]
            return _indented(lines, is_kernel and device == "cuda")

        return faster

    def codegen_func_reverse(self, stock: Callable[..., str]) -> Callable[..., str]:
        """Assemble the text of the adjoint."""

        def faster(adj: Any, func_type: str = "kernel", device: str = "cpu", grid_stride: bool = False) -> str:
            primal = self._primal(adj)
            replay, reverse = adj.blocks[0].body_replay, adj.blocks[0].body_reverse
            if primal is None or adj.slot_augassign_error is not None or _has_directives(replay) or _has_directives(reverse):
                return stock(adj, func_type, device, grid_stride)
            is_kernel = func_type == "kernel"
            dual = [f"{Var.type_to_ctype(var.type, True)} {var.emit('adj')} = {{}};" for var in adj.variables]
            lines = [*_arguments(adj, True)] if is_kernel and device == "cpu" else []
            lines += [*_PRIMAL, *primal, *_DUAL, *dual, *_FORWARD, *replay]
            lines += [*_REVERSE, *reversed(reverse)]
            lines.append("continue;" if grid_stride and is_kernel and device == "cuda" else "return;")
            return _indented(lines, is_kernel and device == "cuda")

        return faster

    def _primal(self, adj: Any) -> list[str] | None:
        """Return the declarations of variables, or None if some are not plain or the text has line directives."""
        if writes_lines(adj):
            return None
        if self._variables is not adj.variables:  # every build creates a new list
            self._variables = adj.variables
            self._declarations = [_declaration(var) for var in adj.variables] if all(map(_plain, adj.variables)) else None
        return self._declarations


def _plain(var: Any) -> bool:
    """Return whether a variable is neither a tile nor a tile stack, whose declarations have other forms."""
    warp_type = var.type
    return isinstance(warp_type, (type, ArrayAnnotation, Struct, Reference, *ARRAYS))


def _declaration(var: Any) -> str:
    ctype, name = Var.type_to_ctype(var.type, False), var.emit()
    return f"{ctype} {name};" if var.constant is None else f"const {ctype} {name} = {_codegen.constant_str(var.constant)};"


def _arguments(adj: Any, backward: bool) -> list[str]:
    """Return the lines in which a CPU function reads its arguments from their struct."""
    named = [(Var.type_to_ctype(var.type, False), var) for var in adj.args]
    lines: list[str] = [*_ARGUMENTS]
    lines += [f"{ctype} {var.emit()} = {_FORWARD_ARGUMENTS}->{var.label};" for ctype, var in named]
    if backward:
        lines += [f"{ctype} {var.emit('adj')} = {_ADJOINT_ARGUMENTS}->{var.label};" for ctype, var in named]
    return lines


def _returns(line: str) -> bool:
    return line.lstrip().startswith("return;")


def _has_directives(lines: Sequence[str]) -> bool:
    """Return whether a line is a line directive, which must not be indented."""
    return any("#line" in line for line in lines)


def _indented(lines: Sequence[str], deep: bool) -> str:
    indent = " " * 8 if deep else " " * 4
    return indent + f"\n{indent}".join(lines) + "\n"
