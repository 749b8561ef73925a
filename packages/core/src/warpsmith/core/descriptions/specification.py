"""The specification of a kernel: what another author needs to write an equivalent kernel without having seen this one."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from warpsmith.core.descriptions.expressions import called_name, text_of, type_text
from warpsmith.core.descriptions.parameters_in_words import constant_values, parameter_lines, written_arrays
from warpsmith.core.descriptions.parsed_kernel import ParsedKernel, body_of
from warpsmith.core.descriptions.record_words import RecordWords
from warpsmith.core.descriptions.rule import rule_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.syntax_walks import walk


def write_specification(pair: Pair, parsed: ParsedKernel, words: RecordWords) -> str:
    """Return the specification: purpose, threads, parameters, constants, structs, functions, rule, edge cases and form.

    Args:
        pair: the record.
        parsed: its Python.
        words: what the record says in words.
    """
    effects = {function.name for function in parsed.functions if written_arrays(function)}
    sections = {
        "": _opening(pair, parsed, words),
        "Parameters, in this order:": parameter_lines(parsed, words, pair.metadata.launch),
        "Constants:": (f"- `{name}` = {value}" for name, value in constant_values(parsed.constants).items()),
        "Structs:": map(_struct, parsed.structs),
        "Functions:": _functions(parsed, effects),
        "Rule for each thread:": rule_lines(parsed.body, effects),
        "Edge cases:": _edge_cases(pair, parsed),
        "Form:": _form(pair, parsed),
    }
    texts = [(title, list(lines)) for title, lines in sections.items()]
    return "\n\n".join("\n".join([*([title] if title else []), *lines]) for title, lines in texts if lines)


def _opening(pair: Pair, parsed: ParsedKernel, words: RecordWords) -> Iterator[str]:
    yield f"Kernel `{parsed.kernel.name}`. {' '.join(filter(None, (words.purpose, *words.background)))}".rstrip()
    index = _thread_index(parsed)
    if words.threads:
        worker = "One block of threads" if words.is_tiled else "One thread"
        yield f"{worker} for each {words.threads}{f'; `{index}` is the index of the thread' if index else ''}."
    elif index:
        yield f"`{index}` is the index of the thread."
    if pair.metadata.launch:
        dim = pair.metadata.launch.dim
        yield f"Launched with dim = ({', '.join(map(str, dim))}{',' if len(dim) == 1 else ''}), for example."


def _thread_index(parsed: ParsedKernel) -> str:
    """Return the names of the indices of a thread, as the kernel assigns them."""
    for node in walk(parsed.kernel):
        match node:
            case ast.Assign(targets=[target], value=value) if called_name(value) == "tid":
                return text_of(target).strip("()")
    return ""


def _struct(struct: ast.ClassDef) -> str:
    members = [
        f"{node.target.id}: {type_text(node.annotation)}"
        for node in struct.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    return f"- `{struct.name}` with the members {', '.join(members)}"


def _functions(parsed: ParsedKernel, effects: Collection[str]) -> Iterator[str]:
    for function in parsed.functions:
        parameters = ", ".join(
            f"{argument.arg}: {type_text(argument.annotation)}" if argument.annotation else argument.arg
            for argument in function.args.args
        )
        result = f" -> {type_text(function.returns)}" if function.returns else ""
        lines = rule_lines(body_of(function), effects)
        if len(lines) == 1 and lines[0].startswith("- The result is "):
            yield f"- `{function.name}({parameters}){result}`: the result is {lines[0][len('- The result is ') :]}"
        else:
            yield f"- `{function.name}({parameters}){result}`:"
            yield from (f"  {line}" for line in lines)


def _edge_cases(pair: Pair, parsed: ParsedKernel) -> Iterator[str]:
    for condition in _guards(parsed):
        yield f"- A thread with {condition} writes nothing."
    launch = pair.metadata.launch
    for argument in launch.args if launch else ():
        if argument.role == "inout" and argument.kind == "array":
            yield f"- `{argument.name}` keeps its values from before the launch where nothing changes them."
    if any(isinstance(node, ast.FloorDiv | ast.Mod) for node in walk(parsed.kernel)):
        yield "- As in Warp, `//` rounds down and `%` has the sign of its first operand."
    if any(argument.role == "output" for argument in (launch.args if launch else ())):
        yield "- Elements that no thread writes keep their values."


def _guards(parsed: ParsedKernel) -> Iterator[str]:
    """Yield the conditions under which a thread ends before it writes."""
    for statement in parsed.body:
        match statement:
            case ast.If(test=test, body=[ast.Return(value=None)], orelse=[]):
                yield text_of(test)
            case ast.Assign(targets=[ast.Name() | ast.Tuple()]):
                pass
            case _:
                return


def _form(pair: Pair, parsed: ParsedKernel) -> Iterator[str]:
    """Yield what decorator, options and precision the kernel has."""
    yield f"- The decorator is `@{parsed.decorator}`."
    if options := pair.metadata.module_options:
        yield f"- Options of the module: {', '.join(f'{name} = {value}' for name, value in options.items())}."
    if re.search(r"\bfloat64\b|\b(?:vec\d|mat\d\d|quat|transform)d\b", pair.python_source):
        yield "- Floats have 64 bits where the types say so; literals are cast to the type of their operands."
    if any("Any" in type_text(argument.annotation) for function in parsed.functions for argument in function.args.args):
        yield "- Functions whose parameters have the type `Any` work for every type that they are called with."
