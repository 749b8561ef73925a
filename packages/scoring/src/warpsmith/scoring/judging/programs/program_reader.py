"""The policy for answers about programs, inside a sandboxed worker: which statements or which kernel an answer gives."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence

import msgspec

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.scoring.judging.programs.program_effects import ProgramText
from warpsmith.scoring.judging.worker_messages import AcceptedText, Rejection
from warpsmith.scoring.policy.python_policy import check_python
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.tasks.program_gaps import MAIN, Container, containers, kernels, statements, with_kernel
from warpsmith.validation.programs.host_allowlist import host_violation

MAX_LENGTH = 100_000
"""The longest answer, in characters."""

_OF_MODULES = frozenset("Module kernel func func_grad func_replay overload struct map set_module_options adj module".split())
"""Members of Warp and of its objects that make or change kernels."""


def read_programs(_: Sequence[Line], *, texts: Sequence[object]) -> dict[str, object]:
    """Read answers.

    Args:
        texts: `ProgramText` as JSON.

    Returns:
        For each answer the text for the gap, or the reason why it is refused.
    """
    return {"texts": [_read(answer) for answer in msgspec.convert(texts, list[ProgramText])]}


def _read(answer: ProgramText) -> AcceptedText | Rejection:
    if len(answer.text) > MAX_LENGTH:
        return Rejection("read", f"line 1: the text has {len(answer.text):,} characters, more than {MAX_LENGTH:,}")
    try:
        return AcceptedText(statements_of(answer) if answer.kernel_file is None else kernel_of(answer))
    except (Violation, NotPythonError) as error:
        return Rejection("read", str(error))
    except (RecursionError, MemoryError):
        return Rejection("read", "the text is nested too deeply")


# ------------------------------------------------------------------------------------------------------------- the host code


def statements_of(answer: ProgramText) -> str:
    """Return the missing statements in an answer: those of the block, whose other statements it repeats, or all of them.

    Raises:
        Violation: if it changes other statements of the block, or contains what it must not.
        NotPythonError: if it is not Python.
    """
    program = parse_python(answer.source)
    tree = parse_python(textwrap.dedent(answer.text))
    block = _block(tree, answer.name)
    found = tree.body if block is None else _inner(block, _required(program, answer), answer)
    if not found:
        raise Violation("line 1: there are no statements")
    if (problem := next(_problems(found, program, answer.name), None)) is not None:
        raise Violation(problem)
    text = "\n".join(map(ast.unparse, found))
    if (problem := host_violation(text)) is not None:
        raise Violation(problem)
    return text


def _required(program: ast.Module, answer: ProgramText) -> Container:
    block = _block(program, answer.name)
    if block is None:
        raise Violation(f"the program has no {answer.name}")
    return block


def _block(tree: ast.Module, name: str) -> Container | None:
    """Return the block with a name; a method may stand outside of its class."""
    short = name.rpartition(".")[2]
    found = dict(containers(tree))
    return found.get(name, found.get(short) if name != MAIN else None)


def _inner(block: Container, original: Container, answer: ProgramText) -> list[ast.stmt]:
    """Return the statements of a block that stand in the place of the gap."""
    if isinstance(block, ast.FunctionDef) and isinstance(original, ast.FunctionDef):
        same = ast.unparse(block.args) == ast.unparse(original.args)
        if not same or block.decorator_list:
            raise Violation.at(block.lineno, f"the function '{block.name[:60]}' has other parameters")
    body, given = statements(block), statements(original)
    before, after = answer.before, answer.after
    shown = [*given[:before], *given[len(given) - after :]]
    repeated = [*body[:before], *body[len(body) - after :]] if len(body) >= before + after else []
    if [ast.unparse(node) for node in shown] != [ast.unparse(node) for node in repeated]:
        raise Violation.at(block.lineno, "statements that the task shows are missing or changed")
    return body[before : len(body) - after]


def _problems(found: Sequence[ast.stmt], program: ast.Module, name: str) -> Iterator[str]:
    """Yield why statements are not allowed: they define, import or change something outside of them."""
    shared = set(_shared_names(program))
    members = {part.name for _, part in containers(program) if isinstance(part, ast.FunctionDef)}
    classes = {node.name for node in program.body if isinstance(node, ast.ClassDef)}
    structs = set(_struct_variables([*program.body, *found], classes))
    for node in (node for statement in found for node in ast.walk(statement)):
        problem = ""
        if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef):
            problem = f"contains {'a class' if isinstance(node, ast.ClassDef) else 'an import'}"
        elif isinstance(node, ast.FunctionDef) and (node.decorator_list or node.name in shared):
            problem = f"defines '{node.name[:60]}' with a decorator, or anew"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del) and node.id in shared:
            problem = f"sets '{node.id[:60]}', which the file defines"
        elif isinstance(node, ast.arg) and node.arg in shared:
            problem = f"sets '{node.arg[:60]}', which the file defines"
        elif isinstance(node, ast.Attribute) and node.attr in _OF_MODULES:
            problem = f"uses the member {node.attr}"
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and not _may_be_set(node, members, structs):
            problem = f"changes '{ast.unparse(node)[:60]}'"
        elif isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and name == MAIN:
            problem = "returns from no function"
        if problem:
            yield f"line {getattr(node, 'lineno', 0)}: {problem}"


def _shared_names(program: ast.Module) -> Iterator[str]:
    """Yield the names that a program defines outside of functions and of its main block."""
    for node in program.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


def _may_be_set(node: ast.Attribute, members: set[str], structs: set[str]) -> bool:
    """Return whether an attribute is one of ``self`` that is no method, or of a struct: modules and arrays must not change."""
    if not isinstance(node.value, ast.Name):
        return False
    return node.value.id in structs or (node.value.id == "self" and node.attr not in members)


def _struct_variables(body: Sequence[ast.stmt], classes: set[str]) -> Iterator[str]:
    """Yield the variables that are set to a new struct or object of the file."""
    for node in (node for statement in body for node in ast.walk(statement)):
        match node:
            case ast.Assign(targets, ast.Call(ast.Name(name))) if name in classes:
                yield from (target.id for target in targets if isinstance(target, ast.Name))


# ------------------------------------------------------------------------------------------------------------------ kernels


def kernel_of(answer: ProgramText) -> str:
    """Return the kernel of an answer with the functions that it defines for it, and the decorators of the program.

    Raises:
        Violation: if the kernel is missing or has other parameters, or the text contains what it must not.
        NotPythonError: if it is not Python.
    """
    tree, program = parse_python(textwrap.dedent(answer.text)), parse_python(answer.source)
    kernel = next((node for node in kernels(tree) if node.name == answer.name), None)
    original = next((node for node in kernels(program) if node.name == answer.name), None)
    if kernel is None or original is None:
        raise Violation(f"line 1: the text defines no kernel '{answer.name}'")
    if ast.unparse(kernel.args) != ast.unparse(original.args):
        raise Violation.at(kernel.lineno, f"the kernel '{answer.name}' has other parameters")
    shared = set(_shared_names(program))
    helpers = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name not in shared]
    if any(node.name.startswith("_") for node in helpers):
        raise Violation.at(helpers[0].lineno, "the name of a function starts with '_'")
    if any([ast.unparse(decorator) for decorator in node.decorator_list] != ["wp.func"] for node in helpers):
        raise Violation.at(helpers[0].lineno, "a function beside the kernel is no '@wp.func'")
    kernel.decorator_list = original.decorator_list
    text = "\n\n\n".join(ast.unparse(node) for node in (*helpers, kernel))
    try:
        check_python(with_kernel(answer.kernel_file or "", answer.name, text), answer.name)
    except LookupError:
        raise Violation("the kernel cannot be replaced") from None
    return text
