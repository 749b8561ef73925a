"""Realization: keys of parameters become arguments, members of structs, module constants or literals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from warpsmith.core.records.launch import Argument, Build
from warpsmith.core.records.launch import Domain as Values
from warpsmith.synthesis.language.composed_kernel import Array, Constant, Enumeration, OpaqueParameter, Param, Scalar
from warpsmith.synthesis.language.warp_types import INT
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.argument_structs import pack
from warpsmith.synthesis.writing.ideas.data_layout import Layout, annotation_of
from warpsmith.synthesis.writing.ideas.enumerations import Enumerations
from warpsmith.synthesis.writing.ideas.kernel_names import Names
from warpsmith.synthesis.writing.ideas.notation import PARAMETER, words
from warpsmith.synthesis.writing.ideas.parts import Code, Data, Domain, Index, Number, ObjectParameter, Parameter, Record, Size
from warpsmith.synthesis.writing.ideas.roles import find_nested, find_roles
from warpsmith.synthesis.writing.policy import (
    CODE_LITERAL_CHANCE,
    CONSTANT_CHANCES,
    LITERAL_CHANCE,
    MAX_LITERALS,
    MIN_STRUCT_MEMBERS,
    NUMBER_DIGITS,
    NUMBER_STEPS,
    SHAPE_CHANCE,
    STRUCT_CHANCE,
    WRAPPED_CHANCE,
)


class Parameters:
    """The parameters of one kernel.

    Args:
        domain: the rows.
        rng: the randomness of the kernel.
        names: the names of the kernel.
        lines: the statements of the kernel.
        inside: the texts of helper functions, which read no arguments of the kernel.
        world: the index of the world in a batched kernel, or None.
        packs: whether inputs are passed in structs wherever possible.
        block: the number of threads per block, or 0.
        enums: whether codes are members of enumerations.

    Attributes:
        layout: the sizes of the kernel.
        texts: the text of each key.
        constants: the module constants.
        structs: the texts of the classes of structs.
        about: a phrase for each argument and member, by name.
    """

    def __init__(
        self,
        domain: Domain,
        rng: RandomStream,
        names: Names,
        lines: Sequence[str],
        inside: str,
        world: Index | None,
        packs: bool,
        block: int,
        enums: bool,
    ) -> None:
        self._rng, self._names, self._inside = rng, names, inside
        self._text = "\n".join((*lines, inside))
        self._rows = _rows_of(domain)
        self._roles, self._nested = find_roles(lines), find_nested(lines)
        self.texts: dict[str, str] = {"block": str(block)} if block else {}
        self.constants: list[Constant] = []
        self._constant_chance = rng.choice(CONSTANT_CHANCES)
        self._reads_shapes = rng.chance(SHAPE_CHANCE)
        self.structs: list[str] = []
        self.about: dict[str, str] = {}
        self._wrapped = rng.chance(WRAPPED_CHANCE)
        self._inputs: list[Param] = []
        self._outputs: list[Param] = []
        self._numbers: list[Param] = []
        self._lengths: list[Param] = []
        self._opaque: list[Param] = []
        self._enumerations = Enumerations(domain, names, rng) if enums else None
        used = [key for key in dict.fromkeys((*self._roles, *PARAMETER.findall(inside))) if key not in self.texts]
        places = _places_of(domain)  # as their author lists them; lengths follow, since the shapes of arrays may have them
        used.sort(key=lambda key: (isinstance(self._rows[key], Size), places[key]))
        has_few = sum(isinstance(self._rows[key], Number | Code) for key in used) <= MAX_LITERALS
        self._literal_numbers = rng.chance(LITERAL_CHANCE) and has_few
        self._literal_codes = rng.chance(CODE_LITERAL_CHANCE) and has_few
        self._data = [row for key in used if isinstance(row := self._rows[key], Data)]
        self.layout = Layout(self._rows, self._data, world, block, rng)
        for record in domain.records:
            self._pack(record, used, packs)
        for key in used:
            if key not in self.texts:
                self._realize(key)

    def _pack(self, record: Record, used: Sequence[str], packs: bool) -> None:
        """Move inputs into a struct, if there are enough of them."""
        rows = [self._rows[key] for key in used if key in words(record.members) and self._may_be_member(key)]
        members = [row for row in rows if isinstance(row, Size | Data | Number)]
        if len(members) < (2 if packs else MIN_STRUCT_MEMBERS) or not self._rng.chance(1.0 if packs else STRUCT_CHANCE):
            return
        packed = pack(record, members, self.layout, self._names)
        self.structs.append(packed.text)
        self.texts |= packed.members
        self.about |= packed.about
        self._opaque.append(packed.parameter)

    def _may_be_member(self, key: str) -> bool:
        row = self._rows[key]
        is_free = key not in self.texts and self._roles.get(key, "input") == "input" and not self._is_in_helper(key)
        return is_free and not (isinstance(row, Data) and row.indexed)

    def _is_in_helper(self, key: str) -> bool:
        return f"{{{key}}}" in self._inside

    # ---------------------------------------------------------------------------------------------------------- parameters

    def _realize(self, key: str) -> None:
        match self._rows[key]:
            case Data() as row:
                self._add_array(row)
            case Number() as row:
                self._add_number(row)
            case Size() as row:
                self._add_length(row)
            case Code() as row:
                self._add_code(row)
            case ObjectParameter() as row:
                self._add_object(row)

    def _name(self, row: Data | Number | Size | ObjectParameter) -> str:
        """Choose the name of an argument."""
        name = self._names.choose(words(row.names))
        self.texts[row.key] = name
        self.about[name] = row.about
        return name

    def _add_array(self, row: Data) -> None:
        name, dims, role = self._name(row), self.layout.dims(row), self._roles.get(row.key, "input")
        if row.indexed:
            argument = replace(self.layout.argument(row, name), kind="indexed_array", role=role)
            self._opaque.append(OpaqueParameter(name, annotation_of(row, len(dims)), argument))
            return
        (low, high), kind = self.layout.bounds(row), row.kind
        if role == "output":
            low, high, kind = 0.0, 0.0, "fill"
        elif role == "inout" and row.start is not None:
            low, high, kind = row.start, row.start, "fill"
        array = Array(name, row.type, dims, low, high, kind, role)
        (self._inputs if role == "input" else self._outputs).append(array)

    def _add_number(self, row: Number) -> None:
        constants = words(row.constants)
        if (constants and self._rng.chance(self._constant_chance)) or self._is_in_helper(row.key):
            value: float = self._rng.choice(row.typical) if row.typical else self._draw(row)
            # a factor of 1.0 without a name would be filler
            is_literal = bool(row.typical) and value != 1.0 and self._may_be_literal(row.key)
            number = int(value) if row.type is INT else value
            self._add_constant(row.key, number, constants, row.about, is_literal=is_literal)
            return
        self._numbers.append(Scalar(self._name(row), row.type, row.low, row.high))

    def _add_code(self, row: Code) -> None:
        if self._enumerations is None or not row.classes:
            is_literal = self._literal_codes and (bool(row.classes) or self._occurs_once(row.key))
            self._add_constant(row.key, row.value, words(row.names), row.about, is_literal=is_literal, family=row.classes)
            return
        self.texts[row.key] = name = self._enumerations.member(row)
        self.about[name] = row.about

    @property
    def enumerations(self) -> tuple[Enumeration, ...]:
        """The enumerations of the file."""
        return self._enumerations.classes if self._enumerations else ()

    @property
    def members(self) -> dict[str, int]:
        """The members that the kernel names, with their values."""
        return self._enumerations.named if self._enumerations else {}

    def _draw(self, row: Number) -> float:
        """Draw a round number from the range."""
        if row.type is INT:
            return self._rng.between(int(row.low), int(row.high))
        drawn = row.low + (row.high - row.low) * self._rng.below(NUMBER_STEPS + 1) / NUMBER_STEPS
        return min(max(float(f"{drawn:.{NUMBER_DIGITS}g}"), row.low), row.high)

    def _add_constant(
        self, key: str, value: float, names: Sequence[str], about: str, *, is_literal: bool, family: str = ""
    ) -> None:
        if not names or is_literal or key in self._nested:
            self.texts[key] = repr(value)
            return
        name = self._names.choose(names, family)
        self.texts[key] = name
        self.about[name] = about
        self.constants.append(Constant(name, value, self._wrapped))

    def _may_be_literal(self, key: str) -> bool:
        """Return whether the kernel writes a number where it is used: it is used once, and no other literal is beside it."""
        return self._literal_numbers and self._occurs_once(key) and not self._meets_literal(key)

    def _occurs_once(self, key: str) -> bool:
        return self._text.count(f"{{{key}}}") == 1

    def _meets_literal(self, key: str) -> bool:
        """Return whether a number is a term beside a literal: written as one, both would be a constant by hand."""
        term = rf"\{{{key}\}}"
        return bool(re.search(rf"(?<![\w.])\d[\d.e-]*\)? [-+*/] {term}|{term} [-+*/] \(?\d", self._text))

    def _add_object(self, row: ObjectParameter) -> None:
        """Add an object of Warp; a grid over the points of an array has the name of the array."""
        name, build, rank = self._name(row), dict(row.build), len(row.shape)
        if points := build.get("points"):
            if points not in self.texts:
                self._realize(points)
            build["points"] = self.texts[points]
        dtype, annotation = (f"Texture{rank}D", f"wp.Texture{rank}D") if row.kind == "texture" else ("uint64", "wp.uint64")
        values = None if row.kind == "hash_grid" else Values(kind="uniform", low=row.low, high=row.high)
        argument = Argument(
            name=name, kind=row.kind, dtype=dtype, role="input", shape=row.shape, domain=values, build=Build(**build)
        )
        self._opaque.append(OpaqueParameter(name, annotation, argument))

    def _add_length(self, row: Size, early: bool = False) -> None:
        """Add a length; ``early`` means that it is read before every element, when the adjoint permits any array's shape."""
        length = self.layout.length(row.key)
        if row.choices or (row.constants and self._rng.chance(self._constant_chance)):
            is_literal = self._may_be_literal(row.key)
            self._add_constant(row.key, length, words(row.constants), row.about, is_literal=is_literal)
            return
        arrays = [data for data in self._data if row.key in data.dims.split() and data.key in self.texts]
        arrays = [data for data in arrays if early or not data.type.is_float]
        if arrays and self._reads_shapes:
            array = self._rng.choice(arrays)
            self.texts[row.key] = f"{self.texts[array.key]}.shape[{self.layout.dims(array).index(row.key)}]"
            return
        self._lengths.append(Scalar(self._name(row), INT, length, length, "fill"))

    def length_text(self, key: str) -> str:
        """Return the text of the length of a dimension; add an argument for it if there is none."""
        row = self._rows[key]
        if key not in self.texts and isinstance(row, Size):
            self._add_length(row, early=True)
        return self.texts[key]

    def ordered(self) -> tuple[Param, ...]:
        """Return the parameters of the kernel in one of the common orders."""
        groups: tuple[Sequence[Param], ...] = self._rng.choice(
            (
                (self._opaque, self._inputs, self._numbers, self._lengths, self._outputs),
                (self._lengths, self._opaque, self._inputs, self._numbers, self._outputs),
                (self._opaque, self._numbers, self._lengths, self._inputs, self._outputs),
                (self._opaque, self._inputs, self._outputs, self._numbers, self._lengths),
                (self._inputs, self._opaque, self._lengths, self._numbers, self._outputs),
                (self._numbers, self._inputs, self._opaque, self._lengths, self._outputs),
            )
        )
        return tuple(param for group in groups for param in group)

    # --------------------------------------------------------------------------------------------------------- substitution

    def substitute(self, text: str, world: str) -> str:
        """Return a text with the texts of its keys; accesses to batched arrays get the index of the world."""
        batched = self.layout.batched
        if world:
            text = _ATOMIC.sub(lambda match: match[0] + (f"{world}, " if match[1] in batched else ""), text)
            text = _ACCESS.sub(lambda match: match[0] + (f"{world}, " if match[1] in batched else ""), text)
        return PARAMETER.sub(lambda match: self.texts[match[1]], text)


@cache
def _rows_of(domain: Domain) -> dict[str, Parameter]:
    return {row.key: row for row in domain.parameters}


@cache
def _places_of(domain: Domain) -> dict[str, int]:
    return {row.key: place for place, row in enumerate(domain.parameters)}


_ACCESS = re.compile(r"{(\w+)}\[")
_ATOMIC = re.compile(r"wp\.atomic_\w+\({(\w+)}, ")
