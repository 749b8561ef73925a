"""The declarations of a text, and the types that its tokens spell."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpsmith.scoring.policy.cuda_names import ARRAY_TYPES, OPAQUE_TYPES, SCALAR_KEYWORDS, TILE_TYPES, TYPES
from warpsmith.scoring.policy.lexer import END, NAME, NUMBER, Tokens
from warpsmith.scoring.policy.violation import Violation

VALUE, ARRAY, SHAPE, TILE, STRUCT, STRING_TYPE, OPAQUE = "value", "array", "shape", "tile", "struct", "str", "opaque"
"""Kinds of types."""

AUTO, LOCAL_ARRAY = "auto", "local array"
"""Kinds of variables: values whose type the compiler deduces, which no list of values may make, and arrays of numbers."""

POINTER, ARRAY_POINTER, SHAPE_POINTER = "pointer", "pointer to an array", "pointer to a shape"
"""Kinds of variables that no type has by itself."""

POINTER_KINDS = {ARRAY: ARRAY_POINTER, SHAPE: SHAPE_POINTER}

ADDRESSES = frozenset((ARRAY, POINTER, ARRAY_POINTER, SHAPE_POINTER, STRING_TYPE))
"""Kinds of variables that contain an address."""

_KINDS = {
    **dict.fromkeys(TYPES, VALUE), **dict.fromkeys(ARRAY_TYPES, ARRAY), **dict.fromkeys(TILE_TYPES, TILE),
    **dict.fromkeys(OPAQUE_TYPES, OPAQUE), "shape_t": SHAPE, "str": STRING_TYPE,
}  # fmt: skip

_ARRAY_MEMBERS = frozenset("points velocities indices arr".split())
"""Members of meshes and of Warp's arrays that are arrays."""

_MAX_DEPTH = 16
"""The deepest nesting of template arguments."""


@dataclass(slots=True)
class Unit:
    """A text and what it may refer to.

    Attributes:
        kinds: the kinds of its tokens.
        texts: the tokens.
        lines: the line numbers of the tokens.
        groups: guarded groups of native functions that the reference uses.
        members: members that the reference reads.
        structs: the fields of each struct, with the kind of each field's type.
        functions: the functions that the text declares, with the kinds of their results.
        fields: the fields of all structs.
    """

    kinds: list[str]
    texts: list[str]
    lines: list[int]
    groups: frozenset[str]
    members: frozenset[str]
    structs: dict[str, dict[str, str]] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, tokens: Tokens, groups: frozenset[str], members: frozenset[str]) -> Unit:
        """Return the unit of a list of tokens, without declarations."""
        return cls(tokens.kinds, tokens.texts, tokens.lines, groups, members)

    def is_member(self, name: str) -> bool:
        """Return whether a name is a field of a struct, or a member that the reference reads."""
        return name in self.fields or name in self.members

    def is_array(self, name: str, owner: str | None = None) -> bool:
        """Return whether a member is an array; the members of a value, such as ``v`` of a query, are no fields of a struct."""
        return name in _ARRAY_MEMBERS or (owner != VALUE and any(fields.get(name) == ARRAY for fields in self.structs.values()))

    def refuse(self, at: int, reason: str) -> Violation:
        """Return the violation at a token."""
        return Violation.at(self.lines[at], reason)

    def refuse_name(self, at: int) -> Violation:
        """Return the violation of the name or the character at a token."""
        if self.kinds[at] == NAME:
            return Violation.name(self.lines[at], self.texts[at])
        if self.kinds[at] == END:
            return self.refuse(at, "the text ends too early")
        return self.refuse(at, f"'{self.texts[at][:60]}' is not allowed here")

    def expect(self, at: int, *texts: str) -> int:
        """Return the index after tokens that must stand at an index."""
        for text in texts:
            if self.texts[at] != text or self.kinds[at] == END:
                raise self.refuse(at, f"'{self.texts[at][:60]}' is not allowed here; '{text}' is expected")
            at += 1
        return at

    def type_at(self, at: int, depth: int = 0) -> tuple[int, str] | None:
        """Return the index after a type without pointers and references, and its kind; None if there is no type."""
        texts = self.texts
        if texts[at] == "const":
            return self.type_at(at + 1, depth)
        text = texts[at]
        if text == "wp":
            if texts[at + 1] != "::" or (kind := _KINDS.get(texts[at + 2])) is None:
                return None
            end = at + 3
            if texts[end] == "<":
                end = self.template_arguments(end, depth + 1)
        elif text in SCALAR_KEYWORDS:
            kind, end = VALUE, at + 1
            while texts[end] in SCALAR_KEYWORDS:
                end += 1
        elif text in self.structs and self.kinds[at] == NAME:
            kind, end = STRUCT, at + 1
        else:
            return None
        return end + (texts[end] == "const"), kind

    def template_arguments(self, at: int, depth: int = 1) -> int:
        """Return the index after template arguments, which are types, numbers and truth values."""
        if depth > _MAX_DEPTH:
            raise self.refuse(at, "template arguments are nested too deeply")
        at += 1
        if self.texts[at] == ">":
            return at + 1
        while True:
            if (found := self.type_at(at, depth)) is not None:
                if found[1] in (ARRAY, SHAPE, STRING_TYPE, OPAQUE):
                    raise self.refuse(at, "a type that contains an address is not allowed as a template argument")
                at = found[0]
            else:
                at += self.texts[at] == "-"
                if self.kinds[at] != NUMBER and self.texts[at] not in ("true", "false"):
                    raise self.refuse_name(at)
                at += 1
            if self.texts[at] == ">":
                return at + 1
            if self.texts[at] != ",":
                raise self.refuse_name(at)
            at += 1
