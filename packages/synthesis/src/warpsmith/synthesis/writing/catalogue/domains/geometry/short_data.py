"""Rows of the short ideas of the domain `geometry`: arrays that change in place, small matrices, small helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number

SHORT_PARAMETERS = (
    data("layer", INT, 0, 7, "layers layer_bits point_flags collision_mask", "layer bits of each point"),
    data("ttl", INT, 0, 5, "ttl cooldown frames_left countdown", "steps that each point stays marked"),
    data("stage", INT, 0, 3, "stages query_state phase status", "stage of the query of each point"),
    data("slots", INT, -1, 3, "cache_slots owners assigned slot_id", "slot of each point, -1 for none"),
    data("pout", INT, 0, 0, "labels_out point_class marks result_ids", "class of each point"),
    data("pmatch", INT, 0, 0, "counts_out num_matches hits_per_point", "number of matches of each point"),
    data("voxels", INT, 0, 3, "voxel_state occupancy_state cells voxel_age", "state of each cell", "nx ny nz"),
    data("voxid", INT, 0, 0, "cell_ids linear_index voxel_ids", "linear index of each cell", "nx ny nz"),
    data("slab", INT, 0, 0, "slab_counts layer_counts occupied_per_slice", "number of cells of each slab", "nx"),
    data("slabsum", FLOAT, 0.0, 0.0, "slab_sums slice_integral layer_sum", "sum over each slab", "nx"),
    data("kids", INT, 0, 0, "child_counts num_children degree", "number of children of each node", "m"),
    data("boxtag", INT, 0, 3, "box_state box_flags sleep_state", "state of each box", "b"),
    data("boxout", INT, 0, 0, "box_class layer_out group_out", "class of each box", "b"),
    data("blo", VEC3, -2.0, 0.0, "lowers box_min aabb_lower bounds_lo", "lower corner of each box, changed in place", "b"),
    data("bhi", VEC3, 0.5, 2.0, "uppers box_max aabb_upper bounds_hi", "upper corner of each box, changed in place", "b"),
    data("speed", VEC3, 0.0, 2.0, "speeds abs_velocity box_motion", "largest speed of each box in m/s", "b"),
    data("binmass", FLOAT, 0.0, 0.0, "cell_mass bucket_mass weight_hist", "sum over the points of each bucket", "64", start=0.0),
    data("pairbuf", INT, 0, 0, "pair_buffer edge_buffer packed_pairs", "two entries for each point", "2*n"),
    data("shift", VEC3, -0.5, 0.5, "displacements offsets delta_p moves", "displacement of each point in m"),
    data("svol", FLOAT, 0.0, 0.0, "shape_volumes volumes_out geom_volume", "volume of each shape in m^3", "s"),
    data("sclass", INT, 0, 0, "shape_class cost_class narrowphase_id", "class of each shape", "s"),
    data("jac", MAT22, -0.4, 1.4, "jacobians jac J map_matrix", "matrix of the map at each point", "n", "near_identity"),
    data("jacout", MAT22, 0.0, 0.0, "jacobians_out metric_out J_out", "new matrix at each point"),
    data("xyout", VEC2, 0.0, 0.0, "mapped_points xy_new uv_points", "mapped position of each point in the plane"),
    data("pval", FLOAT, -1.0, 1.0, "field samples point_value density_in", "value at each point"),
    data("pvalio", FLOAT, -1.0, 1.0, "accumulated field_acc confidence_io score", "value at each point, changed in place"),
    data("pvalout", FLOAT, 0.0, 0.0, "field_out values_new response", "new value at each point"),
    data("psum", INT, 0, 0, "lattice_sums poly_sum checksum", "sum over the vertices of each polygon", "g"),
    number("rnear", 1.4, 1.9, "near_dist inner_radius r0", "distance at which the effect begins in m"),
    number("extent", 4.0, 20.0, "scene_extent world_size max_extent", "extent of the scene in m"),
    number("ground", -1.0, 0.5, "ground_height floor_z ground_level", "height of the ground in m"),
    number("amp", 0.3, 1.5, "gain amplitude weight_scale", "gain"),
    number("width", 0.4, 1.2, "width sigma bandwidth", "width of the kernel in m"),
    number("lev", -0.3, 0.3, "level threshold cutoff", "threshold of the value"),
    integer("bits", 1, 6, "mask layer_mask bit_mask", "bits to work on"),
    integer("hold", 2, 4, "hold_frames lifetime max_ttl", "number of steps to wait"),
    integer("lane", 0, 3, "target_layer query_layer lane", "the code to look for"),
    integer("first", 4, 40, "first_id base_index id_offset", "first index of the batch"),
)  # fmt: skip

SHORT_NAMES = {
    "src": "src src_id idx from_id",
    "flags": "flags bits_i layer_i state_bits",
    "wait": "left remaining t_left wait",
    "st": "st status stage_i current",
    "val": "val value s_val field_i",
    "tot": "total acc accum sum_v",
    "at": "at slot_i entry pos_k",
    "vol": "volume vol v_shape cubic",
    "ang": "angle theta phi ang",
    "xy": "xy pt uv p2d",
    "jm": "J jac_i m_i mat_i",
}

SHORT_HELPERS = (
    helper("sphere_gap", "def ⟨sphere_gap|dist_to_sphere⟩(p: wp.vec3, c: wp.vec3, r: float)⟨| -> float⟩:\n    return wp.length(p - c) - r", "def ⟨signed_gap|sphere_distance⟩(x: wp.vec3, center: wp.vec3, radius: float)⟨| -> float⟩:\n    # negative inside\n    return wp.length(x - center) - radius"),
    helper("onion", "def ⟨onion|shell_of⟩(d: float, t: float)⟨| -> float⟩:\n    return wp.abs(d) - t", "def ⟨hollow|thin_shell⟩(d: float, t: float)⟨| -> float⟩:\n    # half on each side\n    return wp.abs(d) - 0.5 * t"),
    helper("kernel_w", "def ⟨gauss_kernel|falloff⟩(d: float, h: float)⟨| -> float⟩:\n    return wp.exp(-d * d / (h * h))", "def ⟨cauchy_kernel|soft_weight⟩(d: float, h: float)⟨| -> float⟩:\n    return 1.0 / (1.0 + d * d / (h * h))"),
    helper("to_cell", "def ⟨to_cell|cell_coord⟩(v: float, size: float)⟨| -> int⟩:\n    return int(wp.floor((v + 4.0) / size))"),
    helper("cell_key2", "def ⟨cell_key|pack_cell⟩(x: int, y: int)⟨| -> int⟩:\n    return x * 73 + y", "def ⟨row_major|join_cells⟩(ix: int, iy: int)⟨| -> int⟩:\n    return (ix << 5) | iy"),
    helper("to_bin", "def ⟨to_bucket|wrap_key⟩(key: int)⟨| -> int⟩:\n    return key % {BINS}", "def ⟨bucket_id|slot_of⟩(k: int)⟨| -> int⟩:\n    return (k ^ (k >> 3)) & 63"),
    helper("yaw_rot", "def ⟨yaw_rotation|about_z⟩(angle: float)⟨| -> wp.quat⟩:\n    return wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), angle)"),
    helper("bit_on", "def ⟨is_set|has_layer⟩(flags: int, bit: int)⟨| -> bool⟩:\n    return (flags & bit) != 0", "def ⟨all_set|covers⟩(flags: int, bits: int)⟨| -> bool⟩:\n    return (flags & bits) == bits"),
    helper("bit_set", "def ⟨add_layer|set_bits⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags | bit", "def ⟨toggle_layer|flip_bits⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags ^ bit"),
    helper("bit_clear", "def ⟨remove_layer|clear_bits⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags & ~bit", "def ⟨without_bits|drop_layer⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags - (flags & bit)"),
)  # fmt: skip
