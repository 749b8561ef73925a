"""Category `struct`: parameters gathered in one argument, arrays of bodies, nested structs."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.structs import Member, Struct, add_struct_argument, draw_struct
from warpsmith.synthesis.writing.skeletons.templates import template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("physics", 2.0), ("curve", 0.8), ("selection", 0.5)))

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


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel with a struct of parameters, and often an array of bodies; members become locals."""
    rng = builder.rng
    read = builder.add_input(VEC3)
    opening, at = builder.open_threads()
    outputs = [builder.add_output(rng.choice((FLOAT, VEC3))) for _ in range(rng.choice((1, 2)))]
    templates = [_read_parameters(builder)]
    if rng.chance(0.6):
        templates.append(_read_body(builder, at[0].name))
    steps = Steps(1, (FLOAT, VEC3), 1)
    body = (*opening, *builder.load_elements(read, at=at), *templates, steps, *(store_result(out, at) for out in outputs))
    return builder.build_kernel(rng.choice(("step", "integrate", "evaluate", "solve", "update")), body)


def _read_parameters(builder: KernelBuilder) -> TemplateStatement:
    """Add a struct of parameters and read some of its members."""
    struct_type = draw_struct(builder.rng, builder.rng.choice(("SimParams", "Material", "Settings")), PARAMETERS)
    builder.define(struct_type.text())
    name = add_struct_argument(builder, builder.rng.choice(("params", "material", "cfg")), struct_type)
    return _read_members(builder, struct_type, name)


def _read_body(builder: KernelBuilder, i: str) -> TemplateStatement:
    """Add an array of bodies and read some members of one."""
    struct_type = draw_struct(builder.rng, builder.rng.choice(("Body", "Agent", "Node")), BODIES)
    builder.define(struct_type.text())
    array = add_struct_argument(builder, builder.rng.choice(("bodies", "agents", "nodes")), struct_type, builder.dims)
    statement = _read_members(builder, struct_type, "$body" if (local := builder.rng.chance(0.6)) else f"{array}[{i}]")
    if not local:
        return statement
    outputs = (template_output("body", None, 0.0, 0.0, "body", "this", "item"), *statement.outputs)
    return TemplateStatement(f"$body = {array}[{i}]\n{statement.text}", (), outputs)


def _read_members(builder: KernelBuilder, struct_type: Struct, source: str) -> TemplateStatement:
    """Read members of a struct into locals."""
    lines, outputs = [], []
    read = builder.rng.sample(struct_type.members, builder.rng.between(1, 3))
    for number, member in enumerate(member for member in struct_type.members if member in read):
        bend = vary("⟨| * 0.5| * 2.0⟩", builder.rng)
        lines.append(f"$m{number} = {source}.{member.name}{bend}")
        low, high = 2.0 * min(member.low, 0.0), 2.0 * max(member.high, 0.0)
        outputs.append(
            template_output(f"m{number}", member.type, low, high, member.name, f"{member.name}_i", member.name[:1] + "_val")
        )
    return TemplateStatement("\n".join(lines), (), tuple(outputs), "members of a struct")


CATEGORY = Category("struct", draw, WEIGHTS, "with structs", "language", dry_run=False)
