"""Structs: their class in source text, and the argument of such a type in the record."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core.records.launch import Argument, Domain
from warpsmith.synthesis.language.types import Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct: its name, its type, and the bounds of its components."""

    name: str
    type: Type
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct type with the members that were drawn."""

    name: str
    members: tuple[Member, ...]

    def text(self) -> str:
        """Return the source text of the class."""
        lines = [f"    {member.name}: {member.type.spelling}" for member in self.members]
        return "\n".join(["@wp.struct", f"class {self.name}:", *lines])

    def fields(self) -> tuple[Argument, ...]:
        """Return the members as arguments of the record."""
        return tuple(
            Argument(
                name=member.name,
                kind="value",
                dtype=member.type.name,
                role="input",
                shape=(),
                domain=Domain(kind="uniform", low=member.low, high=member.high),
            )
            for member in self.members
        )


def draw_struct(rng: RandomStream, name: str, members: tuple[Member, ...]) -> Struct:
    """Draw a struct of two to four of ``members``, in the order of the list."""
    chosen = rng.sample(members, rng.between(2, 4))
    return Struct(name, tuple(member for member in members if member in chosen))


def add_struct_argument(builder: KernelBuilder, name: str, struct_type: Struct, dims: tuple[str, ...] = ()) -> str:
    """Add a parameter of a struct type, or an array of structs; return its name."""
    about = {"dtype": struct_type.name, "fields": struct_type.fields()}
    if not dims:
        return builder.add_opaque(name, struct_type.name, kind="struct", **about)
    return builder.add_opaque(name, f"wp.array(dtype={struct_type.name})", kind="array", shape=builder.lengths(*dims), **about)
