"""Category `volume_store`: stores to volumes, and indexed lookups and samples of data beside their voxels."""

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
U, G = inner("u", "uvw", "local", "voxel"), inner("g", "grad", "slope_v")
VALUE = template_output("s", FLOAT, -60.0, 60.0, "stored", "voxel_value", "written_v")
FLOW = template_output("v", VEC3, -60.0, 60.0, "gradient_v", "force_v")
LOCAL = "$u = wp.volume_world_to_index({o}, {p})\n"
PLACE = "int($u[0]), int($u[1]), int($u[2])"

STORES = {
    "float32": (
        Template("a store to a volume", LOCAL + f"$s = {{0}} * ⟨0.5|2.0⟩\nwp.volume_store⟨_f|⟩({{o}}, {PLACE}, $s)", (X,), (U, VALUE)),
        Template("a falloff in a volume", LOCAL + f"$s = wp.max({{0}} - wp.length({{p}}) * ⟨0.2|0.5⟩, 0.0)\nwp.volume_store_f({{o}}, {PLACE}, $s)", (X,), (U, VALUE)),
    ),
    "vec3f": (Template("a store of a flow", LOCAL + f"$s = {{0}}\nwp.volume_store⟨_v|⟩({{o}}, {PLACE}, {{p}} * $s)", (X,), (U, VALUE)),),
    "int32": (Template("a store of a label", LOCAL + f"$s = {{0}}\nwp.volume_store⟨_i|⟩({{o}}, {PLACE}, int($s * ⟨4.0|8.0⟩))", (X,), (U, VALUE)),),
}  # fmt: skip
SAMPLES = (
    Template("a sample of data beside a volume", LOCAL + "$s = wp.volume_sample_index({o}, $u, wp.Volume.⟨LINEAR|CLOSEST⟩, {data}, ⟨0.0|1.0⟩) * {0}", (X,), (U, VALUE)),
    Template("a gradient of data beside a volume", LOCAL + "$g = wp.vec3()\n$s = wp.volume_sample_grad_index({o}, $u, wp.Volume.LINEAR, {data}, 0.0, $g) + {0}\n$v = $g * ⟨0.5|0.1⟩", (X,), (U, G, VALUE, FLOW)),
    Template("an element beside a volume", LOCAL + f"$k = wp.volume_lookup_index({{o}}, {PLACE})\n$s = {{0}}\nif $k ⟨>= 0|>= 0 and $k < 512⟩:\n    $s = $s + {{data}}[$k] * ⟨0.5|1.5⟩", (X,), (U, inner("k", "k_vox", "at_v"), VALUE)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that writes voxels at points, or reads data by voxel index."""
    rng = builder.rng
    voxels = rng.choice(("float32", "vec3f", "int32", "float32"))
    name = object_parameter(
        builder, rng.choice(("volume", "volume_id", "grid_out")), "volume", (8, 8, 8), 0, 1, width=0.25, voxels=voxels
    )
    templates = STORES[voxels]
    if voxels == "float32" and rng.chance(0.7):
        builder.draw_size("v", 512, 512)
        data = builder.add_array(rng.choice(("voxel_data", "cell_data", "payload")), FLOAT, -1.0, 1.0, ("v",)).name
        templates = tuple(Template(one.mention, one.text.replace("{data}", data), one.inputs, one.outputs) for one in SAMPLES)
    return compose_query(builder, name, templates, (FLOAT, VEC3), ("store", "splat", "rasterize", "deposit"), 1)


CATEGORY = Category("volume_store", draw, WEIGHTS, "at voxels of a volume", "objects", dry_run=False)
