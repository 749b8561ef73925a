"""The parts of a program that a task removes: the statements of the host that launch kernels, or the body of a kernel."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpsmith.core.records.python_source import NotPythonError, is_kernel_definition, parse_python, source_lines

MAIN = "__main__"
"""The name of the block ``if __name__ == "__main__":``."""

RECORDED = "_warpsmith_record"
"""The function that receives what the missing statements leave for the statements behind them."""

STARTED = "_warpsmith_start"
"""The function that receives variables before the statements of a gap."""

MISSING = "...  # TODO: the missing statements"

Container = ast.FunctionDef | ast.If
"""A function, a method, or the block `MAIN`."""

_LAUNCHES = ("launch", "launch_tiled")


@dataclass(frozen=True, slots=True)
class Gap:
    """Statements that are missing in a program.

    Attributes:
        name: where they are: the name of a function or kernel, of a method with its class, or `MAIN`.
        first: the line of the first one, from 1.
        last: the line in which the last one ends.
        before: how many statements of the same block stand before them.
        after: how many stand behind them.
        handed_on: the local variables that the statements behind them read; ``self`` in a method stands for its numbers.
    """

    name: str
    first: int
    last: int
    before: int
    after: int
    handed_on: tuple[str, ...] = ()

    @property
    def function(self) -> str:
        """The name of the function, without that of a class; empty for `MAIN`."""
        return "" if self.name == MAIN else self.name.rpartition(".")[2]


def containers(tree: ast.Module) -> Iterator[tuple[str, Container]]:
    """Yield the functions and methods of the host, and the main block, each with its name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not node.decorator_list:
            yield from ((f"{node.name}.{part.name}", part) for part in node.body if isinstance(part, ast.FunctionDef))
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'":
            yield MAIN, node


def kernels(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the kernels of a file."""
    for node in tree.body:
        if is_kernel_definition(node):
            yield node


def statements(block: Container) -> list[ast.stmt]:
    """Return the statements of a block without its docstring."""
    is_text = isinstance(block, ast.FunctionDef) and ast.get_docstring(block, clean=False) is not None
    return block.body[1:] if is_text else block.body


def host_gap(source: str) -> Gap | None:
    """Return the gap in the host code of a program: from the first to the last statement that launches, where most do.

    Returns:
        The gap, or None if the file is not Python or launches nothing.
    """
    try:
        found = list(containers(parse_python(source)))
    except NotPythonError:
        return None
    name, block = max(found, key=lambda item: _launches(item[1]), default=("", None))
    if block is None or not _launches(block):
        return None
    body = statements(block)
    places = [place for place, statement in enumerate(body) if _launches(statement)]
    first, last = places[0], places[-1]
    missing, behind = body[first : last + 1], body[last + 1 :]
    return Gap(
        name, missing[0].lineno, missing[-1].end_lineno or 0, first, len(behind), _handed_on(block, body[: last + 1], behind)
    )


def kernel_gap(source: str, names: Sequence[str]) -> Gap | None:
    """Return the gap of the kernel with the longest body among those with a name in ``names``, or None if there is none."""
    try:
        found = [kernel for kernel in kernels(parse_python(source)) if kernel.name in names and statements(kernel)]
    except NotPythonError:
        return None
    if not found:
        return None
    kernel = max(found, key=lambda node: sum(1 for _ in ast.walk(node)))
    body = statements(kernel)
    return Gap(kernel.name, body[0].lineno, body[-1].end_lineno or 0, 0, 0)


def without(source: str, gap: Gap) -> str:
    """Return a program with a remark in the place of the missing statements."""
    lines = source_lines(source)
    return "".join([*lines[: gap.first - 1], f"{_indentation(lines, gap)}{MISSING}\n", *lines[gap.last :]])


def missing_text(source: str, gap: Gap) -> str:
    """Return the missing statements of a program, without their indentation."""
    return textwrap.dedent("".join(source_lines(source)[gap.first - 1 : gap.last]))


def with_statements(source: str, gap: Gap, text: str) -> str:
    """Return a program with other statements in the gap, and with a call that records what they hand on.

    Args:
        source: the program, or one whose lines are as long.
        gap: the gap.
        text: the statements, without indentation.
    """
    lines = source_lines(source)
    indentation = _indentation(lines, gap)
    record = f"{RECORDED}({', '.join(f'{name}={name}' for name in gap.handed_on)})\n"
    return "".join([*lines[: gap.first - 1], textwrap.indent(f"{text.rstrip()}\n{record}", indentation), *lines[gap.last :]])


def with_observed(source: str, gap: Gap, variables: Mapping[str, str]) -> str:
    """Return a program that passes variables to `STARTED` before the statements of a gap, and calls `RECORDED` behind them.

    Args:
        source: the program.
        gap: the statements, which stay.
        variables: the expressions by the name of the variable.
    """
    given = ", ".join(f"{name}={expression}" for name, expression in variables.items())
    return with_statements(source, gap, f"{STARTED}({given})\n{missing_text(source, gap)}")


def with_kernel(source: str, name: str, text: str) -> str:
    """Return a file in which another text stands in the place of a kernel and its decorators.

    Raises:
        LookupError: if the file defines no such kernel.
        NotPythonError: if it is not Python.
    """
    node = next((kernel for kernel in kernels(parse_python(source)) if kernel.name == name), None)
    if node is None:
        raise LookupError(name)
    first = _first_line(node)
    lines = source_lines(source)
    return "".join([*lines[: first - 1], f"{text.rstrip()}\n", *lines[node.end_lineno :]])


def kernel_text(source: str, name: str) -> str:
    """Return a kernel of a file with its decorators; empty if there is none."""
    for node in kernels(parse_python(source)):
        if node.name == name:
            first = _first_line(node)
            return "".join(source_lines(source)[first - 1 : node.end_lineno])
    return ""


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _launches(node: ast.AST) -> int:
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    return sum(isinstance(call.func, ast.Attribute) and call.func.attr in _LAUNCHES for call in calls)


def _handed_on(block: Container, done: Sequence[ast.stmt], behind: Sequence[ast.stmt]) -> tuple[str, ...]:
    names = {part.id: part for statement in behind for part in ast.walk(statement) if isinstance(part, ast.Name)}
    bound = {name for statement in done for name in _bound(statement)}
    handed = {name for name, node in names.items() if name in bound and isinstance(node.ctx, ast.Load)}
    if isinstance(block, ast.FunctionDef) and block.args.args and block.args.args[0].arg == "self":
        handed.add("self")
    return tuple(sorted(handed))


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the local variables that a statement sets; those of a comprehension do not last."""
    if isinstance(node, ast.comprehension | ast.FunctionDef | ast.Lambda):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    for part in ast.iter_child_nodes(node):
        yield from _bound(part)


def _indentation(lines: Sequence[str], gap: Gap) -> str:
    line = lines[gap.first - 1]
    return line[: len(line) - len(line.lstrip())]
