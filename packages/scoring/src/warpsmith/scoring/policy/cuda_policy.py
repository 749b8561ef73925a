"""An allow list for CUDA text in the form that Warp writes: structs, helper functions and one kernel.

The text is read as a grammar that contains nothing else, so that whatever the grammar does not name is refused. The list is the
first of two defences: text that passes is still compiled and run in a sandboxed worker only. It keeps text from reaching beyond
its arguments by any name; it does not bound the indices that a kernel computes, which the worker's index checks do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from warpsmith.scoring.policy.cuda_functions import FunctionReader, declared_name
from warpsmith.scoring.policy.cuda_names import STRUCT_FUNCTIONS, guarded_groups, is_function_name
from warpsmith.scoring.policy.cuda_structs import read_struct
from warpsmith.scoring.policy.cuda_unit import SHAPE, STRING_TYPE, STRUCT, VALUE, Unit
from warpsmith.scoring.policy.lexer import END, NAME, NUMBER, tokenize
from warpsmith.scoring.policy.violation import Violation

_QUALIFIERS = frozenset("static WP_NOINLINE WP_FORCEINLINE CUDA_CALLABLE".split())

_ADJOINT_ENTRY = "_cuda_kernel_backward"

_NO_MEMBERS = frozenset("data grad ptr strides ndim flags shape".split())
"""Members of arrays that are addresses or bounds."""

_DOUBLE = re.compile(r"\b(?:double|(?:adj_)?float64|(?:vec[234]|mat\d\d|quat|transform|spatial_(?:vector|matrix))d)\b")

_LONG = re.compile(r"(?!0[xX]).*[.eE].*[lL]")
"""Numbers in the precision of ``long double``."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_MEMBER = re.compile(r"[\w)]\.([A-Za-z_]\w*)")


@dataclass(frozen=True)
class _Reference:
    """What a candidate is compared with.

    Attributes:
        header: the tokens of the kernel, up to the bracket that closes its parameters.
        groups: guarded groups of functions that the reference uses.
        members: members that the reference reads.
        structs: structs before an adjoint kernel, and their fields.
        functions: functions before an adjoint kernel, and the kinds of their results.
    """

    header: tuple[str, ...]
    groups: frozenset[str]
    members: frozenset[str]
    structs: dict[str, dict[str, str]]
    functions: dict[str, str]


def check_cuda(text: str, entry_point: str, reference: str) -> None:
    """Check that a text defines a kernel, with the structs and helper functions that it needs, and nothing else.

    Args:
        text: the candidate's text.
        entry_point: the whole name of the kernel, such as ``scale_cuda_kernel_forward``.
        reference: the text whose kernel of the same name has the parameters that are asked for. For an adjoint it is the
            forward text followed by the adjoint; a candidate may then use the structs and functions of the forward text.

    Raises:
        Violation: the text contains something else.
        ValueError: the reference has no such kernel.
    """
    wanted = _read_reference(reference, entry_point)
    unit = Unit.of(tokenize(text), wanted.groups, wanted.members)
    if not uses_double(reference) and entry_point.endswith(_ADJOINT_ENTRY):
        _check_precision(unit)
    for name, fields in wanted.structs.items():
        unit.structs[name] = fields
        unit.fields.update(fields)
    unit.functions.update(wanted.functions)
    count = _read_declarations(unit, wanted.header)
    if count != 1:
        raise Violation(f"line {unit.lines[-1]}: the kernel '{entry_point}' is defined {count} times, not once")


def uses_double(reference: str) -> bool:
    """Return whether a text has values in double precision."""
    return _DOUBLE.search(reference) is not None


def _check_precision(unit: Unit) -> None:
    """Refuse double precision, in which finite differences are as exact as a gradient in single precision."""
    for at, (kind, text) in enumerate(zip(unit.kinds, unit.texts, strict=True)):
        if (kind == NAME and _DOUBLE.fullmatch(text)) or (kind == NUMBER and _LONG.fullmatch(text)):
            raise unit.refuse(at, f"double precision, '{text[:60]}', is not allowed: the forward code has none")


def _read_declarations(unit: Unit, header: tuple[str, ...]) -> int:
    """Check all declarations of a text; return the number of kernels."""
    at = count = 0
    while unit.kinds[at] != END:
        if unit.texts[at] == "struct":
            at = read_struct(unit, at)
        elif unit.texts[at] == "extern":
            at = _read_kernel(unit, at, header)
            count += 1
        else:
            at = _read_function(unit, at)
    return count


def _read_kernel(unit: Unit, at: int, header: tuple[str, ...]) -> int:
    unit.expect(at, *header)
    reader = FunctionReader(unit)
    opening = at + header.index("void") + 2
    return reader.body(reader.parameters(opening)[0])


def _read_function(unit: Unit, at: int) -> int:
    """Check a helper function, or the declaration of one; return the index after it."""
    texts = unit.texts
    start = at
    while texts[at] in _QUALIFIERS:
        at += 1
    if "CUDA_CALLABLE" not in texts[start:at] or len(set(texts[start:at])) != at - start:
        raise unit.refuse(at, f"'{texts[at][:60]}' does not begin a struct, a helper function or the kernel")
    result = VALUE
    if texts[at] == "void":
        at += 1
    else:
        found = unit.type_at(at)
        if found is None or found[1] in (SHAPE, STRING_TYPE) or texts[at] == "const":
            raise unit.refuse_name(at)
        at, result = found
    name = declared_name(unit, at)
    if name in unit.structs:
        raise unit.refuse(at, f"a second declaration of '{name[:60]}' is not allowed")
    _check_function_name(unit, at, name, is_static=texts[start] == "static")
    unit.functions[name] = result
    if texts[at + 1 : at + 4] == ["(", texts[at + 2], "*"] and name == "adj_atomic_add":
        return _read_atomic(unit, at + 1)
    reader = FunctionReader(unit)
    end, kinds = reader.parameters(at + 1)
    if name in STRUCT_FUNCTIONS and STRUCT not in kinds:
        raise unit.refuse(at, f"the function '{name}' needs a parameter that is a struct")
    return end + 1 if texts[end] == ";" else reader.body(end)


def _check_function_name(unit: Unit, at: int, name: str, is_static: bool) -> None:
    """Refuse a name under which the C libraries or Warp may have another function."""
    if name in STRUCT_FUNCTIONS:
        return
    if not is_static:
        raise unit.refuse(at, f"the function '{name[:60]}' must be static")
    if not is_function_name(name) and name.removeprefix("adj_") not in unit.structs:
        raise unit.refuse(at, f"the function '{name[:60]}' needs a name that ends with a number, as in 'scale_0'")


def _read_atomic(unit: Unit, at: int) -> int:
    """Check the function that adds to the fields of a struct: the only one with a pointer among its parameters."""
    texts = unit.texts
    name = texts[at + 1]
    if name not in unit.structs:
        raise unit.refuse_name(at + 1)
    at = unit.expect(at, "(", name, "*", "p", ",", name, "t", ")", "{")
    while texts[at] != "}":
        if texts[at] == "wp":
            at = unit.expect(at, "wp", "::")
        label = texts[at + 5]
        if label not in unit.structs[name]:
            raise unit.refuse_name(at + 5)
        at = unit.expect(at, "adj_atomic_add", "(", "&", "p", "->", label, ",", "t", ".", label, ")", ";")
    return at + 1


@lru_cache(maxsize=256)
def _read_reference(reference: str, entry_point: str) -> _Reference:
    tokens = tokenize(reference)
    texts = tokens.texts
    if texts.count(entry_point) != 1:
        raise ValueError(f"the reference does not define the kernel {entry_point} once")
    at = texts.index(entry_point)
    start = len(texts) - 1 - texts[::-1].index("extern", len(texts) - 1 - at)
    end = texts.index("{", at)
    code = _COMMENT.sub("", reference)
    members = frozenset(_MEMBER.findall(code)) - _NO_MEMBERS
    groups = guarded_groups(code)
    context = Unit(tokens.kinds, texts, tokens.lines, groups, members)
    if entry_point.endswith(_ADJOINT_ENTRY):
        _read_context(context, start)
    return _Reference(tuple(texts[start:end]), groups, members, context.structs, context.functions)


def _read_context(unit: Unit, adjoint: int) -> None:
    """Add the structs and the functions before the forward kernel to a unit."""
    texts = unit.texts
    if "extern" not in texts[:adjoint]:
        return
    at = 0
    while texts[at] != "extern":
        at = read_struct(unit, at) if texts[at] == "struct" else _read_function(unit, at)
