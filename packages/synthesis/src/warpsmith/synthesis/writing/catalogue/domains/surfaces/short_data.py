"""Rows of the short ideas of the domain `surfaces`: arrays that change in place, small tables, small helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number, size
from warpsmith.synthesis.writing.ideas.parts import Index

SHORT_PARAMETERS = (
    size("picks", 12, 24, "num_selected pick_count n_sel", "number of selected vertices"),
    size("modes", 3, 6, "num_modes mode_count n_modes", "number of modes"),
    size("probes", 3, 6, "num_probes sample_count n_probes", "number of probes"),
    data("pick", INT, 0, "n", "selection picked_ids sel_ids vert_ids", "vertices that are selected", "picks", shared=True),
    data("pickx", VEC3, -1.0, 1.0, "picked_positions gathered_x selected_pos", "position of each selected vertex", "picks"),
    data("pickval", FLOAT, 0.0, 0.0, "picked_values gathered_u selected_u", "value at each selected vertex", "picks"),
    data("pickint", INT, 0, 0, "picked_flags gathered_flags selected_flags", "flag of each selected vertex", "picks"),
    data("tag", INT, 0, 7, "tags vertex_tags group_bits layer_mask", "tag bits of each vertex"),
    data("cool", INT, 0, 5, "cooldown wait_steps hold_counter delay", "steps until each vertex may move again"),
    data("phase", INT, 0, 3, "phases stage vertex_phase step_state", "phase of each vertex"),
    data("elife", INT, 0, 6, "edge_age damage_steps overload_count strain_steps", "number of steps that each edge was overloaded", "e"),
    data("faces", INT, 0, 2, "face_state tri_status face_level", "state of each triangle", "f"),
    data("heat", FLOAT, -1.0, 1.0, "temperature heat scalar_acc nodal_u", "temperature of each vertex, changed in place"),
    data("push", VEC3, -1.0, 1.0, "external_force f_ext push body_force", "external force on each vertex in N"),
    data("mode", FLOAT, -1.0, 1.0, "mode_shapes basis_values phi_modes", "value of each mode at each probe", "modes probes", shared=True),
    data("coef", FLOAT, -1.0, 1.0, "coefficients mode_coeffs amplitudes", "coefficient of each mode and vertex", "n modes"),
    data("recon", FLOAT, 0.0, 0.0, "reconstruction u_modes field_sum", "sum over the modes and the probes"),
    data("modeint", INT, 0, 3, "mode_table support_mask pattern", "code of each mode at each probe", "modes probes", shared=True),
    data("hitnum", INT, 0, 0, "match_count num_matches overlap", "number of matches of each vertex"),
    data("modesum", INT, 0, 0, "mode_counts cells_per_mode totals", "number of cells of each mode", "modes"),
    data("met", MAT22, -0.4, 1.4, "metrics surface_metric metric_in G", "metric tensor of each triangle", "f", "near_identity"),
    data("metout", MAT22, 0.0, 0.0, "metrics_out new_metric tensor_out", "new tensor of each triangle", "f"),
    data("inv", FLOAT, 0.0, 0.0, "invariants scalars trace_out", "scalar of each triangle", "f"),
    data("frac", FLOAT, 0.1, 1.0, "weights blend vertex_weight skin_w", "blend weight of each vertex"),
    data("flatout", INT, 0, 0, "index_buffer_out indices_out packed_faces", "index buffer, three entries for each triangle", "3*f"),
    data("packx", FLOAT, 0.0, 0.0, "buffer flat_positions packed_xyz", "coordinates of the vertices one after the other", "3*n"),
    integer("bitmask", 1, 6, "mask bit_mask tag_mask", "bits to work on"),
    integer("hold", 2, 4, "hold_steps patience wait", "number of steps to wait"),
    number("kp", 0.5, 3.0, "kp gain attraction k_att", "gain of the attraction in N/m"),
    number("bias", -0.3, 0.3, "bias offset level shift", "shift of the field"),
    number("cut", -0.3, 0.3, "threshold cutoff u_crit limit", "threshold of the field"),
    number("tzero", 0.1, 0.5, "onset t_start start_value", "value at which the ramp begins"),
    number("tone", 0.7, 1.5, "saturation t_end end_value", "value at which the ramp ends"),
)  # fmt: skip

SHORT_INDICES = (
    Index("p", "picks", "tid p slot k", "selected vertex"),
    Index("z", "modes", "tid mode m mid", "mode"),
)

SHORT_NAMES = {
    "src": "src vid vertex idx",
    "flags": "flags bits tag_bits state_bits",
    "val": "val value u_i field",
    "wait": "wait left remaining t_left",
    "at": "at slot entry k",
    "group": "group tag_i color_i key",
    "corner": "corner first_v tmp old_id",
    "num": "num total hits matched",
    "ratio": "ratio r t x_rel",
    "step": "step dx move shift_v",
    "st": "st status phase_i current",
    "metric": "metric G m_t g_mat",
    "sig": "sig w_s level_c strength",
}

SHORT_HELPERS = (
    helper(
        "ramp",
        """
        def ⟨ramp|unit_ramp⟩(x: float, lo: float, hi: float)⟨| -> float⟩:
            return wp.clamp((x - lo) / (hi - lo), 0.0, 1.0)
        """,
        """
        def ⟨linear_step|saturate⟩(x: float, a: float, b: float)⟨| -> float⟩:
            # 0 below a, 1 above b
            return wp.min(wp.max((x - a) / (b - a), 0.0), 1.0)
        """,
    ),
    helper("ease", "def ⟨ease|fade|hermite⟩(t: float)⟨| -> float⟩:\n    return t * t * (3.0 - 2.0 * t)", "def ⟨smooth|ease_in⟩(t: float)⟨| -> float⟩:\n    return t * t"),
    helper("mix", "def ⟨mix|blend|interpolate⟩(a: float, b: float, t: float)⟨| -> float⟩:\n    return a + (b - a) * t", "def ⟨lerp_value|mix_values⟩(a: float, b: float, t: float)⟨| -> float⟩:\n    return (1.0 - t) * a + t * b"),
    helper("spring", "def ⟨spring_accel|attract⟩(x: wp.vec3, goal: wp.vec3, k: float)⟨| -> wp.vec3⟩:\n    return k * (goal - x)", "def ⟨pull_to|restoring_force⟩(p: wp.vec3, target: wp.vec3, gain: float)⟨| -> wp.vec3⟩:\n    return (target - p) * gain"),
    helper("dragged", "def ⟨drag_force|air_drag⟩(v: wp.vec3, c: float)⟨| -> wp.vec3⟩:\n    return -c * v", "def ⟨quadratic_drag|wind_drag⟩(v: wp.vec3, c: float)⟨| -> wp.vec3⟩:\n    return v * (-c * wp.length(v))"),
    helper("advance", "def ⟨advance|explicit_step⟩(x: wp.vec3, v: wp.vec3, h: float)⟨| -> wp.vec3⟩:\n    return x + v * h", "def ⟨move|step_vector⟩(a: wp.vec3, rate: wp.vec3, h: float)⟨| -> wp.vec3⟩:\n    return a + h * rate"),
    helper("has_bit", "def ⟨has_flag|is_set⟩(flags: int, bit: int)⟨| -> bool⟩:\n    return (flags & bit) != 0", "def ⟨has_bits|all_set⟩(flags: int, bits: int)⟨| -> bool⟩:\n    return (flags & bits) == bits"),
    helper("set_bit", "def ⟨set_flag|with_bit⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags | bit", "def ⟨add_bit|raise_flag⟩(flags: int, bit: int)⟨| -> int⟩:\n    return (flags & ~bit) + bit"),
    helper("clear_bit", "def ⟨clear_flag|without⟩(flags: int, bit: int)⟨| -> int⟩:\n    return flags & ~bit", "def ⟨drop_bits|unset⟩(flags: int, bits: int)⟨| -> int⟩:\n    return flags - (flags & bits)"),
)  # fmt: skip
