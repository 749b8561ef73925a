"""The interface of a kernel in words: the parameters with types, shapes, roles, meanings and values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from warpsmith.core.descriptions.expressions import called_name, text_of, type_text
from warpsmith.core.descriptions.parsed_kernel import ParsedKernel
from warpsmith.core.descriptions.record_words import RecordWords
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.syntax_walks import walk

_ROLES = {"input": "read", "output": "written", "inout": "changed in place"}

_OBJECTS = {
    "mesh": "the id of a mesh",
    "bvh": "the id of a BVH",
    "hash_grid": "the id of a hash grid",
    "volume": "the id of a volume",
    "texture": "a texture",
    "indexed_array": "an indexed array",
    "null_array": "None in this launch",
}

_DOMAINS = {
    "unit": "of length one (the rotation of a transform)",
    "near_identity": "near the identity",
    "sorted": "sorted, from {low} to {high}",
    "offsets": "offsets that do not decrease, from {low} to {high}",
    "permutation": "different integers from {low} to {high}",
}


def parameter_lines(parsed: ParsedKernel, words: RecordWords, launch: Launch | None) -> Iterator[str]:
    """Yield a line for each parameter, in their order, and one for each member of a struct."""
    known = {argument.name: argument for argument in launch.args} if launch else {}
    dim = launch.dim if launch else ()
    stored = written_arrays(parsed.kernel)
    items = words.threads.split(" and ")
    for parameter in [*parsed.kernel.args.posonlyargs, *parsed.kernel.args.args]:
        argument = known.get(parameter.arg)
        annotation = type_text(parameter.annotation)
        facts = [f"`{annotation}`" if annotation else "no annotation"]
        if argument is None:
            facts.append("written" if parameter.arg in stored else "read")
        else:
            facts += _facts(argument, dim, items)
        yield _entry(f"- `{parameter.arg}`", facts, words.meanings.get(parameter.arg, ""))
        for member in argument.fields if argument else ():
            meaning = words.meanings.get(f"{parameter.arg}.{member.name}", "")
            yield _entry(f"  - `{parameter.arg}.{member.name}`", [_member_type(member), *_facts(member, dim, items)], meaning)


def _entry(head: str, facts: list[str], meaning: str) -> str:
    return f"{head}: {', '.join(fact for fact in facts if fact)}{f'. {meaning[0].upper()}{meaning[1:]}' if meaning else ''}."


def _member_type(member: Argument) -> str:
    return f"array of {member.dtype}" if member.kind == "array" else member.dtype


def _facts(argument: Argument, dim: tuple[int, ...], items: list[str]) -> list[str]:
    """Return facts about role, shape and values."""
    if argument.kind in _OBJECTS:
        return [_OBJECTS[argument.kind]]
    facts = [_ROLES[argument.role]] if argument.kind == "array" else []
    if argument.shape:
        facts.append(f"shape ({', '.join(_length(length, dim, items) for length in argument.shape)})")
    if argument.role != "output" and argument.domain is not None:
        facts.append(f"{_values(argument.domain)}{' before the launch' if argument.role == 'inout' else ''}")
    return facts


def _length(length: int, dim: tuple[int, ...], items: list[str]) -> str:
    """Return the length of a dimension: what it counts, if that is unique, and the number of the example."""
    counted = [item for item, threads in zip(items, dim, strict=False) if threads == length]
    return f"number of {_plural(counted[0])} = {length}" if len(counted) == 1 and counted[0] else str(length)


def _plural(item: str) -> str:
    """Return the plural of what a thread works on.

    Examples:
        >>> _plural("query"), _plural("particle"), _plural("mesh")
        ('queries', 'particles', 'meshes')
        >>> _plural("sample of the batch")
        'samples of the batch'
    """
    item, of, rest = item.partition(" of ")
    return f"{_plural_of_word(item)}{of}{rest}"


def _plural_of_word(item: str) -> str:
    if item.endswith("y") and item[-2:-1] not in "aeiou":
        return f"{item[:-1]}ies"
    if item.endswith(("vertex", "index")):
        return f"{item[:-2]}ices"
    return f"{item}es" if item.endswith(("s", "sh", "ch", "x")) else f"{item}s"


def _values(domain: Domain) -> str:
    if domain.kind in _DOMAINS:
        return _DOMAINS[domain.kind].format(low=domain.low, high=domain.high)
    if domain.kind == "fill" or domain.low == domain.high:
        return f"{domain.low}"
    return f"values from {domain.low} to {domain.high}"


def written_arrays(function: ast.FunctionDef) -> set[str]:
    """Return the parameters of a function whose elements it stores or changes atomically."""
    names: set[str] = set()
    for node in walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            names |= _root(node)
        elif isinstance(node, ast.Call) and called_name(node).startswith("atomic_") and node.args:
            names |= _root(node.args[0])
    return names & {argument.arg for argument in function.args.args}


def _root(node: ast.expr) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def constant_values(constants: tuple[ast.stmt, ...]) -> Mapping[str, str]:
    """Return the names of constants with their values; members of an enumeration are named ``Enumeration.MEMBER``."""
    found: dict[str, str] = {}
    for statement in constants:
        prefix, assignments = (
            ("", [statement]) if not isinstance(statement, ast.ClassDef) else (f"{statement.name}.", statement.body)
        )
        for assignment in assignments:
            match assignment:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    found[f"{prefix}{name}"] = text_of(value)
    return found
