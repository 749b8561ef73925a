"""Category `volume`: sampling, gradients, lookups and coordinates of signed distances, densities and flows in sparse volumes."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.objects import compose_query, object_parameter
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("selection", 0.6), ("curve", 0.8)))

X = template_input(FLOAT, 0.2, 2.0)
U = inner("u", "uvw", "index_p", "local", "voxel")
G = inner("g", "grad", "normal_v", "slope_v")
VALUE = template_output("s", FLOAT, -60.0, 60.0, "sdf", "density_v", "occupancy", "temperature_v")
FLOW = template_output("v", VEC3, -60.0, 60.0, "flow_v", "wind_v", "gradient_v", "carried_v")
LOCAL = "$u = wp.volume_world_to_index({o}, {p})\n"
MODE = "wp.Volume.⟨LINEAR|CLOSEST⟩"

NUMBERS = (
    Template("a sample of a volume", LOCAL + f"$s = wp.volume_sample⟨_f({{o}}, $u, {MODE})|({{o}}, $u, {MODE}, dtype=float)⟩ * {{0}}", (X,), (U, VALUE)),
    Template("a gradient of a volume", LOCAL + "$g = wp.vec3()\n$s = wp.volume_sample_grad⟨_f({o}, $u, wp.Volume.LINEAR, $g)|({o}, $u, wp.Volume.LINEAR, $g, dtype=float)⟩ * {0}\n$v = $g * ⟨0.5|0.1⟩", (X,), (U, G, VALUE, FLOW)),
    Template("a lookup in a volume", LOCAL + "$s = wp.volume_lookup⟨_f({o}, int($u[0]), int($u[1]), int($u[2]))|({o}, int($u[0]), int($u[1]), int($u[2]), dtype=float)⟩ + {0}", (X,), (U, VALUE)),
    Template("coordinates of a volume", LOCAL + "$v = wp.volume_index_to_world⟨({o}, $u + wp.vec3(⟨0.5|1.0⟩))|_dir({o}, $u)⟩ * {0}", (X,), (U, FLOW)),
    Template("a direction in a volume", "$u = wp.volume_world_to_index_dir({o}, {p})\n$s = wp.dot($u, {p}) * {0} * 0.1", (X,), (U, VALUE)),
    Template("a number of voxels", LOCAL + "$s = float(wp.volume_lookup_index({o}, int($u[0]), int($u[1]), int($u[2]))) / float(wp.volume_voxel_count({o}) + 1) + {0}", (X,), (U, VALUE)),
)  # fmt: skip
VECTORS = (
    Template("a sample of a flow", LOCAL + f"$v = wp.volume_sample⟨_v({{o}}, $u, {MODE})|({{o}}, $u, {MODE}, dtype=wp.vec3)⟩ * {{0}}", (X,), (U, FLOW)),
    Template("a lookup of a flow", LOCAL + "$v = wp.volume_lookup⟨_v({o}, int($u[0]), int($u[1]), int($u[2]))|({o}, int($u[0]), int($u[1]), int($u[2]), dtype=wp.vec3)⟩ + {p}", (), (U, FLOW)),
    Template("a step along a flow", LOCAL + "$v = {p} + wp.volume_sample_v({o}, $u, wp.Volume.LINEAR) * ⟨0.1|0.05⟩ * {0}", (X,), (U, FLOW)),
)  # fmt: skip
LABELS = (
    Template("a label of a voxel", LOCAL + "$s = float(wp.volume_lookup_i({o}, int($u[0]), int($u[1]), int($u[2]))) ⟨+|*⟩ {0}", (X,), (U, VALUE)),
    Template("a sample of labels", LOCAL + "$s = float(wp.volume_sample_i({o}, $u)) ⟨+|-⟩ {0}", (X,), (U, VALUE)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that samples a volume at points."""
    rng = builder.rng
    voxels, templates, low, high = rng.choice(
        (
            ("float32", NUMBERS, -1.0, 1.0),
            ("float32", NUMBERS, 0.0, 2.0),
            ("vec3f", VECTORS, -1.0, 1.0),
            ("int32", LABELS, 0, 5),
        )
    )
    name = object_parameter(
        builder,
        rng.choice(("volume", "volume_id", "field_v", "sdf_grid")),
        "volume",
        (8, 8, 8),
        low,
        high,
        width=0.25,
        voxels=voxels,
    )
    return compose_query(builder, name, templates, (FLOAT, VEC3), ("sample", "query", "trace", "advect", "probe"))


CATEGORY = Category("volume", draw, WEIGHTS, "from a volume", "objects", dry_run=False)
