"""Structs: parameters gathered in one argument, arrays of bodies, nested structs."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Phrase, Steps
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import Palette
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch, result
from warpsmith.synthesis.writing.skeletons.structs import Member, Struct, argument, struct
from warpsmith.synthesis.writing.skeletons.templates import give, vary

PALETTE = Palette((("arithmetic", 4.0), ("vector", 3.0), ("physics", 2.0), ("curve", 0.8), ("selection", 0.5)))

PARAMETERS = (
    Member("stiffness", FLOAT, 1.0, 8.0),
    Member("damping", FLOAT, 0.1, 0.9),
    Member("rest_length", FLOAT, 0.2, 1.5),
    Member("gravity", VEC3, -9.8, 0.0),
    Member("friction", FLOAT, 0.1, 0.8),
    Member("center", VEC3, -1.0, 1.0),
    Member("radius", FLOAT, 0.2, 2.0),
)
BODIES = (
    Member("position", VEC3, -2.0, 2.0),
    Member("velocity", VEC3, -3.0, 3.0),
    Member("mass", FLOAT, 0.5, 2.0),
    Member("force", VEC3, -4.0, 4.0),
    Member("age", FLOAT, 0.0, 4.0),
)


def draw(s: Sketch) -> Kernel:
    """A struct of parameters, often one that holds another, or an array of bodies; members become locals."""
    d = s.d
    read = s.input(VEC3)
    opening, at = s.threads()
    outputs = [s.output(d.choice((FLOAT, VEC3))) for _ in range(d.choice((1, 2)))]
    phrases = [_parameters(s)]
    if d.chance(0.6):
        phrases.append(_bodies(s, at[0].name))
    steps = Steps(1, (FLOAT, VEC3), 1)
    body = (*opening, *s.fetch(read, at=at), *phrases, steps, *(result(out, at) for out in outputs))
    return s.kernel(d.choice(("step", "integrate", "evaluate", "solve", "update")), body)


def _parameters(s: Sketch) -> Phrase:
    """Reads some members, by a local or a helper that takes the struct."""
    kind = struct(s.d, s.d.choice(("SimParams", "Material", "Settings")), PARAMETERS)
    s.define(kind.text())
    name = argument(s, s.d.choice(("params", "material", "cfg")), kind)
    return _read(s, kind, name)


def _bodies(s: Sketch, i: str) -> Phrase:
    """Reads a body of an array of them."""
    kind = struct(s.d, s.d.choice(("Body", "Agent", "Node")), BODIES)
    s.define(kind.text())
    array = argument(s, s.d.choice(("bodies", "agents", "nodes")), kind, s.dims)
    phrase = _read(s, kind, "$body" if (local := s.d.chance(0.6)) else f"{array}[{i}]")
    if not local:
        return phrase
    gives = (give("body", None, 0.0, 0.0, "body", "this", "item"), *phrase.gives)
    return Phrase(f"$body = {array}[{i}]\n{phrase.text}", (), gives)


def _read(s: Sketch, kind: Struct, place: str) -> Phrase:
    """Members of a struct as locals."""
    lines, gives = [], []
    read = s.d.sample(kind.members, s.d.between(1, 3))
    for number, member in enumerate(member for member in kind.members if member in read):
        bend = vary("⟨| * 0.5| * 2.0⟩", s.d)
        lines.append(f"$m{number} = {place}.{member.name}{bend}")
        low, high = 2.0 * min(member.low, 0.0), 2.0 * max(member.high, 0.0)
        gives.append(give(f"m{number}", member.type, low, high, member.name, f"{member.name}_i", member.name[:1] + "_val"))
    return Phrase("\n".join(lines), (), tuple(gives), "members of a struct")


CATEGORY = Category("struct", draw, PALETTE, "with structs", "language", tried=False)
