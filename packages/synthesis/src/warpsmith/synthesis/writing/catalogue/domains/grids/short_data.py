"""Rows of the short ideas of the domain `grids`: arrays that change in place, sums, small tensors, small helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number, size
from warpsmith.synthesis.writing.ideas.parts import Index

SHORT_PARAMETERS = (
    size("dirs", 9, 9, "num_dirs n_directions q_count", "number of lattice directions"),
    size("span", 2, 4, "stencil_x window_x radius_x taps_x", "number of columns of the window"),
    size("reach", 2, 4, "stencil_y window_y radius_y taps_y", "number of rows of the window"),
    data("uio", FLOAT, -1.0, 1.0, "temperature field phi u_acc", "value of each cell, changed in place", "nx ny"),
    data("vio", VEC2, -1.0, 1.0, "velocity vel uv v_cell", "velocity of each cell, changed in place", "nx ny"),
    data("vio3", VEC3, -1.0, 1.0, "velocity vel wind u_cell", "velocity of each cell, changed in place", "nx ny nz"),
    data("alive", INT, 0, 1, "cells grid bits state", "bit of each cell, changed in place", "nx ny"),
    data("clock", INT, 0, 5, "cooldown burn_time refractory countdown", "remaining steps of each cell", "nx ny"),
    data("fuel", INT, 0, 9, "fuel growth biomass resource", "amount of fuel of each cell", "nx ny"),
    data("mode", INT, 0, 3, "cell_state state phase status", "state of each cell, changed in place", "nx ny"),
    data("vox", INT, 0, 7, "voxel_bits block_flags voxel_flags bits", "flag bits of each voxel", "nx ny nz"),
    data("voxout", INT, 0, 0, "voxels_out packed_flags labels_out code_out", "new code of each voxel", "nx ny nz"),
    data("note", INT, 0, 0, "marks labels_out cell_class mark_out", "mark of each cell", "nx ny"),
    data("tilemode", INT, 0, 3, "tile_state chunk_state tile_phase block_mode", "state of each tile, changed in place", "tiles"),
    data("tilewait", INT, 0, 4, "idle_count quiet_steps tile_timer sleep_count", "number of quiet steps of each tile", "tiles"),
    data("tilebusy", INT, 0, 2, "dirty_cells tile_changes num_active activity", "number of changed cells of each tile", "tiles"),
    data("flatf", FLOAT, 0.0, 0.0, "buffer packed_field flat_values linear_out", "values of all cells, one row after the other", "nx*ny"),
    data("flati", INT, 0, 0, "packed_codes flat_flags linear_codes buffer_i", "codes of all cells, one row after the other", "nx*ny"),
    data("colsum", FLOAT, 0.0, 0.0, "column_sums col_total line_integral", "sum of each column", "nx"),
    data("colnum", INT, 0, 0, "column_counts col_count num_per_column", "number of matches in each column", "nx"),
    data("laynum", INT, 0, 0, "layer_counts slice_count voxels_per_layer", "number of matches in each layer", "nz"),
    data("laysum", FLOAT, 0.0, 0.0, "layer_sums slice_mass layer_total", "sum of each layer", "nz"),
    data("taps", FLOAT, -0.3, 0.3, "weights kernel stencil_w coeffs", "weights of the window", "span reach", shared=True),
    data("pattern", INT, 0, 3, "pattern template window_codes lookup", "codes of the window", "span reach", shared=True),
    data("conv", FLOAT, 0.0, 0.0, "filtered convolved conv_out smoothed", "weighted sum of the window of each cell", "nx ny"),
    data("hits", INT, 0, 0, "match_count num_matches hit_count", "number of matches of each cell", "nx ny"),
    data("tens", MAT22, -0.4, 1.4, "tensors diffusion_tensor metric D_cell", "tensor of each cell", "nx ny", "near_identity"),
    data("tensout", MAT22, 0.0, 0.0, "tensors_out new_tensor metric_out", "new tensor of each cell", "nx ny"),
    data("fluxout", VEC2, 0.0, 0.0, "flux gradients grad_out q_out", "flux of each cell", "nx ny"),
    data("meas", FLOAT, 0.0, 0.0, "measure invariant scalar_out speed_out", "scalar of each cell", "nx ny"),
    data("cellmark", INT, 0, 7, "cell_bits marks status_bits visit_bits", "bits of each cell, changed in place", "cells"),
    data("pcount", INT, 0, 4, "idle_steps particle_age wait lifetime", "counter of each particle", "points"),
    data("ppos", VEC2, 0.6, 4.2, "positions x particle_q pos", "position of each particle in cells, changed in place", "points"),
    data("nodecount", INT, 0, 0, "node_count particles_per_cell cell_hits", "number of particles of each cell", "nx ny", start=0.0),
    integer("bits", 1, 6, "mask flag_mask bit_mask", "bits to work on"),
    integer("hold", 2, 4, "hold_steps patience idle_limit", "number of steps to wait"),
    integer("lane", 0, 3, "target_code query_type lane", "the code to look for"),
    number("amp", 0.3, 1.5, "amplitude gain scale", "gain"),
    number("wide", 0.5, 1.5, "width sigma steepness_len", "width of the profile"),
    number("off", -0.3, 0.3, "offset bias shift", "shift of the value"),
    number("gx", -0.5, 0.5, "force_x gx accel_x", "acceleration along x"),
    number("gy", -1.0, -0.2, "force_y gy accel_y", "acceleration along y"),
)  # fmt: skip

SHORT_INDICES = (Index("b", "tiles", "tid tile b tile_idx", "tile"),)

SHORT_NAMES = {
    "val": "val value v_c field_c",
    "st": "st status cell_s current",
    "wait": "left remaining t_left wait",
    "tot": "total acc accum sum_v",
    "num": "num count hits matched",
    "at": "at lin linear slot",
    "bits": "bits flag_bits cell_b state_b",
    "vc": "v vel_c v_cell uv_c",
    "ten": "D tensor m_c ten",
    "src": "src cell_id src_cell idx",
    "cx": "cx gi cell_x ci",
    "cy": "cy gj cell_y cj",
}

SHORT_HELPERS = (
    helper("to_cell", "def ⟨to_cell|cell_of|floor_cell⟩(x: float)⟨| -> int⟩:\n    return int(wp.floor(x))", "def ⟨nearest_node|round_cell⟩(x: float)⟨| -> int⟩:\n    return int(x + 0.5)"),
    helper("cap", "def ⟨clamp_index|cap_index⟩(i: int, n: int)⟨| -> int⟩:\n    return wp.clamp(i, 0, n - 1)", "def ⟨limit_cell|bound⟩(i: int, count: int)⟨| -> int⟩:\n    return wp.min(wp.max(i, 0), count - 1)"),
    helper("lin2", "def ⟨flat_index|linear2⟩(i: int, j: int, width: int)⟨| -> int⟩:\n    return i * width + j"),
    helper("norm01", "def ⟨normalize_to|unit_range⟩(x: float, lo: float, w: float)⟨| -> float⟩:\n    return (x - lo) / w", "def ⟨rescale|remap⟩(x: float, a: float, b: float)⟨| -> float⟩:\n    return wp.clamp((x - a) / b, -1.0, 1.0)"),
    helper("bump", "def ⟨bell|gauss_profile⟩(s: float)⟨| -> float⟩:\n    return wp.exp(-s * s)", "def ⟨sigmoid|logistic⟩(s: float)⟨| -> float⟩:\n    return 1.0 / (1.0 + wp.exp(-s))"),
    helper("blend", "def ⟨blend|mix⟩(a: float, b: float, t: float)⟨| -> float⟩:\n    return a + (b - a) * t", "def ⟨lerp_field|interpolate⟩(a: float, b: float, w: float)⟨| -> float⟩:\n    return (1.0 - w) * a + w * b"),
    helper("bit_on", "def ⟨has_flag|is_set⟩(flags: int, bit: int)⟨| -> bool⟩:\n    return (flags & bit) != 0", "def ⟨all_set|has_all⟩(flags: int, bits: int)⟨| -> bool⟩:\n    return (flags & bits) == bits"),
    helper("bit_set", "def ⟨set_flag|with_bits⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags | bit", "def ⟨toggle|flip_bits⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags ^ bit"),
    helper("bit_clear", "def ⟨clear_flag|without⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags & ~bit", "def ⟨drop_bits|unset⟩(flags: int, bits: int)⟨| -> int⟩:\n    return flags - (flags & bits)"),
)  # fmt: skip
