"""The text of functions: declarations of variables, then the lines that are there already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from warpsmith.core.records import text_format
from warpsmith.extraction.accelerate.kinds import ARRAYS, ArrayAnnotation, Reference, Struct, Var
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
    """Whether lines of the source stand in the text, as debuggers and profilers want it."""
    options: dict[str, Any] = adj.builder_options
    return bool(options.get("lineinfo", False)) or options.get("mode", "release") == "debug"


def get_line_directive(stock: Callable[..., str | None]) -> Callable[..., str | None]:
    """Nothing is written of lines unless debug information is asked for, which is known before the statement is looked at."""

    def faster(adj: Any, statement: str, relative_lineno: int | None = None) -> str | None:
        return stock(adj, statement, relative_lineno) if writes_lines(adj) else None

    return faster


class Printing:
    """Both functions open with the same declarations, which are kept from the first to the second."""

    def __init__(self) -> None:
        self._of: Any = None
        self._declared: list[str] | None = None

    def codegen_func_forward(self, stock: Callable[..., str]) -> Callable[..., str]:
        """The forward function."""

        def faster(adj: Any, func_type: str = "kernel", device: str = "cpu", grid_stride: bool = False) -> str:
            primal = self._primal(adj)
            body = adj.blocks[0].body_forward
            if primal is None or _directives(body):
                return stock(adj, func_type, device, grid_stride)
            inside = func_type == "kernel"
            if grid_stride and inside and device == "cuda":
                body = [line.replace("return;", "continue;") if _returns(line) else line for line in body]
            lines = [*_arguments(adj, False)] if inside and device == "cpu" else []
            lines += [*_PRIMAL, *primal, *_FORWARD, *body]
            return _indented(lines, inside and device == "cuda")

        return faster

    def codegen_func_reverse(self, stock: Callable[..., str]) -> Callable[..., str]:
        """The adjoint."""

        def faster(adj: Any, func_type: str = "kernel", device: str = "cpu", grid_stride: bool = False) -> str:
            primal = self._primal(adj)
            replay, reverse = adj.blocks[0].body_replay, adj.blocks[0].body_reverse
            if primal is None or adj.slot_augassign_error is not None or _directives(replay) or _directives(reverse):
                return stock(adj, func_type, device, grid_stride)
            inside = func_type == "kernel"
            dual = [f"{Var.type_to_ctype(var.type, True)} {var.emit('adj')} = {{}};" for var in adj.variables]
            lines = [*_arguments(adj, True)] if inside and device == "cpu" else []
            lines += [*_PRIMAL, *primal, *_DUAL, *dual, *_FORWARD, *replay]
            lines += [*_REVERSE, *reversed(reverse)]
            lines.append("continue;" if grid_stride and inside and device == "cuda" else "return;")
            return _indented(lines, inside and device == "cuda")

        return faster

    def _primal(self, adj: Any) -> list[str] | None:
        """The declarations of variables, or None if some are not plain or lines of the source are written."""
        if writes_lines(adj):
            return None
        if self._of is not adj.variables:  # a build makes a new list
            self._of = adj.variables
            self._declared = [_declared(var) for var in adj.variables] if all(map(_plain, adj.variables)) else None
        return self._declared


def _plain(var: Any) -> bool:
    """Whether a variable is neither a tile nor a stack in shared memory, which are declared in ways of their own."""
    kind = var.type
    return isinstance(kind, (type, ArrayAnnotation, Struct, Reference, *ARRAYS))


def _declared(var: Any) -> str:
    kind, name = Var.type_to_ctype(var.type, False), var.emit()
    return f"{kind} {name};" if var.constant is None else f"const {kind} {name} = {_codegen.constant_str(var.constant)};"


def _arguments(adj: Any, backward: bool) -> list[str]:
    """What a function for the CPU takes out of the struct of its arguments."""
    named = [(Var.type_to_ctype(var.type, False), var) for var in adj.args]
    lines: list[str] = [*_ARGUMENTS]
    lines += [f"{kind} {var.emit()} = {_FORWARD_ARGUMENTS}->{var.label};" for kind, var in named]
    if backward:
        lines += [f"{kind} {var.emit('adj')} = {_ADJOINT_ARGUMENTS}->{var.label};" for kind, var in named]
    return lines


def _returns(line: str) -> bool:
    return line.lstrip().startswith("return;")


def _directives(lines: Sequence[str]) -> bool:
    """Whether a line names a line of the source, which stands at the left edge."""
    return any("#line" in line for line in lines)


def _indented(lines: Sequence[str], deep: bool) -> str:
    indent = " " * 8 if deep else " " * 4
    return indent + f"\n{indent}".join(lines) + "\n"
