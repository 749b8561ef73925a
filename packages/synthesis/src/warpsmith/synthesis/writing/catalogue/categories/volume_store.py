"""Writing volumes, and data kept beside their voxels: stores, indexed lookups and samples."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import Palette
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch
from warpsmith.synthesis.writing.skeletons.objects import query, thing
from warpsmith.synthesis.writing.skeletons.templates import Idiom, give, inner, need

PALETTE = Palette((("arithmetic", 4.0), ("vector", 3.0), ("selection", 0.6), ("curve", 0.8)))

X = need(FLOAT, 0.2, 2.0)
U, G = inner("u", "uvw", "local", "voxel"), inner("g", "grad", "slope_v")
VALUE = give("s", FLOAT, -60.0, 60.0, "stored", "voxel_value", "written_v")
FLOW = give("v", VEC3, -60.0, 60.0, "gradient_v", "force_v")
LOCAL = "$u = wp.volume_world_to_index({o}, {p})\n"
PLACE = "int($u[0]), int($u[1]), int($u[2])"

STORES = {
    "float32": (
        Idiom("a store to a volume", LOCAL + f"$s = {{0}} * ⟨0.5|2.0⟩\nwp.volume_store⟨_f|⟩({{o}}, {PLACE}, $s)", (X,), (U, VALUE)),
        Idiom("a falloff in a volume", LOCAL + f"$s = wp.max({{0}} - wp.length({{p}}) * ⟨0.2|0.5⟩, 0.0)\nwp.volume_store_f({{o}}, {PLACE}, $s)", (X,), (U, VALUE)),
    ),
    "vec3f": (Idiom("a store of a flow", LOCAL + f"$s = {{0}}\nwp.volume_store⟨_v|⟩({{o}}, {PLACE}, {{p}} * $s)", (X,), (U, VALUE)),),
    "int32": (Idiom("a store of a label", LOCAL + f"$s = {{0}}\nwp.volume_store⟨_i|⟩({{o}}, {PLACE}, int($s * ⟨4.0|8.0⟩))", (X,), (U, VALUE)),),
}  # fmt: skip
SAMPLES = (
    Idiom("a sample of data beside a volume", LOCAL + "$s = wp.volume_sample_index({o}, $u, wp.Volume.⟨LINEAR|CLOSEST⟩, {data}, ⟨0.0|1.0⟩) * {0}", (X,), (U, VALUE)),
    Idiom("a gradient of data beside a volume", LOCAL + "$g = wp.vec3()\n$s = wp.volume_sample_grad_index({o}, $u, wp.Volume.LINEAR, {data}, 0.0, $g) + {0}\n$v = $g * ⟨0.5|0.1⟩", (X,), (U, G, VALUE, FLOW)),
    Idiom("an element beside a volume", LOCAL + f"$k = wp.volume_lookup_index({{o}}, {PLACE})\n$s = {{0}}\nif $k ⟨>= 0|>= 0 and $k < 512⟩:\n    $s = $s + {{data}}[$k] * ⟨0.5|1.5⟩", (X,), (U, inner("k", "k_vox", "at_v"), VALUE)),
)  # fmt: skip


def draw(s: Sketch) -> Kernel:
    """Points in, voxels written, or data read by the numbers of voxels."""
    d = s.d
    voxels = d.choice(("float32", "vec3f", "int32", "float32"))
    name = thing(s, d.choice(("volume", "volume_id", "grid_out")), "volume", (8, 8, 8), 0, 1, width=0.25, voxels=voxels)
    idioms = STORES[voxels]
    if voxels == "float32" and d.chance(0.7):
        s.size("v", 512, 512)
        data = s.array(d.choice(("voxel_data", "cell_data", "payload")), FLOAT, -1.0, 1.0, ("v",)).name
        idioms = tuple(Idiom(one.says, one.text.replace("{data}", data), one.needs, one.gives) for one in SAMPLES)
    return query(s, name, idioms, (FLOAT, VEC3), ("store", "splat", "rasterize", "deposit"), 1)


CATEGORY = Category("volume_store", draw, PALETTE, "at voxels of a volume", "objects", tried=False)
