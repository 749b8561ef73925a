"""Structs, whose members are those that Warp writes for the fields."""

from __future__ import annotations

from warpsmith.scoring.policy.cuda_functions import declared_name
from warpsmith.scoring.policy.cuda_names import is_struct_name
from warpsmith.scoring.policy.cuda_unit import SHAPE, STRING_TYPE, TILE, Unit


def read_struct(unit: Unit, at: int) -> int:
    """Check a struct, add it to the unit, and return the index after it."""
    texts = unit.texts
    name = declared_name(unit, at + 1)
    if name in unit.structs or name in unit.functions:
        raise unit.refuse(at + 1, f"a second declaration of '{name[:60]}' is not allowed")
    if not is_struct_name(name):
        raise unit.refuse(at + 1, f"the struct '{name[:60]}' needs a name that ends with a number, as in 'Params_1'")
    at = unit.expect(at + 2, "{")
    fields: dict[str, str] = {}
    types: dict[str, list[str]] = {}
    while texts[at] not in ("}", name, "CUDA_CALLABLE"):
        if (found := unit.type_at(at)) is None or found[1] in (SHAPE, STRING_TYPE, TILE):
            raise unit.refuse_name(at)
        end, kind = found
        label = declared_name(unit, end)
        fields[label], types[label] = kind, texts[at:end]
        at = unit.expect(end + 1, ";")
    unit.structs[name] = fields
    unit.fields.update(fields)
    while texts[at] != "}":
        at = _member(unit, at, name, types)
    return unit.expect(at, "}", ";")


def _member(unit: Unit, at: int, name: str, types: dict[str, list[str]]) -> int:
    """Check a member function; return the index after it."""
    texts = unit.texts
    if texts[at] == name:
        return unit.expect(at, name, "(", ")", "=", "default", ";")
    at = unit.expect(at, "CUDA_CALLABLE", name)
    if texts[at] == "(":
        return unit.expect(at, *_constructor(types))
    if texts[at] == "operator":
        at = unit.expect(at, "operator", "-", "(", ")", "const", "{", name, "ret", "=", "*", "this", ";")
        while texts[at] == "ret":
            label = texts[at + 2]
            at = unit.expect(at, "ret", ".", label, "=", "-", "ret", ".", label, ";")
        return unit.expect(at, "return", "ret", ";", "}")
    operation = "-=" if texts[at + 2] == "-=" else "+="
    at = unit.expect(at, "&", "operator", operation, "(", "const", name, "&", "rhs", ")", "{")
    while texts[at] in types:
        label = texts[at]
        at = unit.expect(at, label, operation, "rhs", ".", label, ";")
    return unit.expect(at, "return", "*", "this", ";", "}")


def _constructor(types: dict[str, list[str]]) -> list[str]:
    """Return the tokens of the constructor that takes a value for each field, after the name."""
    tokens = ["("]
    initializers: list[str] = []
    for number, (label, spelled) in enumerate(types.items()):
        tokens += [*([","] if number else []), *spelled, "const", "&", label, *(["=", "{", "}"] if number else [])]
        initializers += [",", label, "{", label, "}"] if number else [":", label, "{", label, "}"]
    return [*tokens, ")", *initializers, "{", "}"]
