"""Rows that only the short ideas of the domain `contacts` use: a few more arrays, scalars and one-line helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, MAT33, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number

SHORT_PARAMETERS = (
    data("seen", INT, 0, 2, "hit_count seen contact_seen con_hits", "number of times that each contact was found in the step", "nc"),
    data("miss", INT, 0, 6, "missed_steps miss contact_missed con_miss", "steps since each contact was found", "nc"),
    data("bits", INT, 0, 15, "contact_flags bits contact_bits con_flags", "bits of each contact", "nc"),
    data("pair_age", INT, 0, 9, "pair_ages age_p pair_lifetime pair_steps", "steps for which each pair has overlapped", "np"),
    data("pair_hit", INT, 0, 1, "pair_hits hit_p pair_overlaps pair_touching", "1 for pairs that overlap now", "np"),
    data("isl_state", INT, 0, 2, "island_states isl_st island_mode isl_mode", "state of each island: active, drowsy or asleep", "ni"),
    data("isl_energy", FLOAT, 0.0, 1.0, "island_energies e_isl island_energy isl_ke", "kinetic energy of each island in J", "ni"),
    data("frame", MAT33, -0.3, 1.3, "contact_frames R_c contact_frame con_frame", "frame of each contact", "nc", "near_identity"),
    data("block2", MAT22, -0.3, 1.3, "friction_blocks K_t contact_block con_K", "mobility of each contact in its tangent plane", "nc", "near_identity"),
    data("relv", VEC3, -1.0, 1.0, "relative_velocities v_rel contact_velocity con_vel", "relative velocity at each contact in m/s", "nc"),
    data("force", VEC3, -2.0, 2.0, "forces f_c contact_force con_f", "force of each contact in N", "nc"),
    data("stiff", FLOAT, 20.0, 60.0, "stiffness k_c contact_stiffness con_ke", "stiffness of each contact in N/m", "nc"),
    data("heat", FLOAT, 0.0, 0.5, "wear wear_c contact_wear con_heat", "energy lost at each contact in J", "nc"),
    data("bv", VEC3, -1.0, 1.0, "linear_velocities v_b body_lin_vel body_v", "velocity of each body in m/s", "nb"),
    data("bx", VEC3, -1.0, 1.0, "body_positions x_b body_pos body_x", "position of each body in m", "nb"),
    data("cell", INT, -1, "ncell", "shape_cells cell_of shape_cell geom_cell", "bin of each shape, -1 outside of the grid", "ng"),
    data("a_out", INT, 0, 0, "shape_a_out a_new shape0_out geom1_out", "first shape of each contact", "nc"),
    data("b_out", INT, 0, 0, "shape_b_out b_new shape1_out geom2_out", "second shape of each contact", "nc"),
    data("type_out", INT, 0, 0, "contact_classes class_c contact_class con_class", "class of each contact", "nc"),
    data("pkey", INT, 0, 0, "pair_codes code_p pair_code_out pair_signature_out", "code of each pair", "np"),
    data("pos_out", VEC3, 0.0, 0.0, "positions_out x_out contact_pos_new con_pos_out", "position of each contact in m", "nc"),
    data("n_out", VEC3, 0.0, 0.0, "normals_out n_new contact_normal_new con_n_out", "normal of each contact", "nc"),
    data("v_c", VEC3, 0.0, 0.0, "frame_velocities v_frame contact_vel_local con_v_local", "relative velocity in the frame of each contact", "nc"),
    data("frame_out", MAT33, 0.0, 0.0, "frames_out R_out contact_frame_out con_frame_out", "matrix of each contact", "nc"),
    data("tan_out", VEC2, 0.0, 0.0, "tangent_impulses p_t contact_tangent_out con_t_out", "tangential impulse of each contact in N s", "nc"),
    data("pen_out", FLOAT, 0.0, 0.0, "penalties c_pen contact_penalty con_penalty", "penalty of each contact", "nc"),
    data("rowsum", FLOAT, 0.0, 0.0, "edge_sums s_edge contact_row_sum con_row_sum", "sum over the edges of each contact", "nc"),
    data("load", FLOAT, 0.0, 0.0, "body_loads load_b body_load contact_load", "sum of the loads of each body", "nb"),
    data("b_force", VEC3, 0.0, 0.0, "body_forces f_acc body_contact_f force_sum", "sum of the contact forces at each body in N", "nb", start=0.0),
    data("near_n", INT, 0, 0, "near_counts n_near shape_near_count geom_near", "number of pairs in the neighbourhood of each shape", "ng"),
    data("double_n", INT, 0, 0, "repeat_counts n_rep body_repeats con_repeats", "number of repeated contacts of each body", "nb"),
    integer("grace", 1, 4, "grace_steps keep_missed miss_max grace", "number of steps that a lost contact is kept"),
    integer("base", 1, 16, "first_id base key_offset id_base", "number of the first key"),
    number("gain", 0.3, 1.5, "gain scale k_gain factor", "factor of the force"),
    number("visc", 0.1, 1.0, "viscosity c_v drag_t damping_t", "gain of the damping"),
    number("soft", 0.05, 0.2, "softness eps_s smoothing blend", "width of the transition in m"),
    number("light", 0.2, 0.5, "light_load f_low touch_level low_load", "load below which a contact is light"),
    number("heavy", 0.6, 0.9, "heavy_load f_high crush_level high_load", "load above which a contact is heavy"),
    number("e_lim", 0.3, 0.7, "energy_limit e_lim wake_energy min_energy", "energy above which an island is active in J"),
)  # fmt: skip

SHORT_HELPERS = (
    helper("gap_force", "def ⟨gap_force|penetration_force⟩(k: float, d: float)⟨| -> float⟩:\n    return k * wp.max(-d, 0.0)"),
    helper("closing", "def ⟨closing_damping|approach_damping⟩(c: float, v: float)⟨| -> float⟩:\n    return c * wp.max(-v, 0.0)"),
    helper("cap_force", "def ⟨cap_force|limit_normal⟩(f: float, top: float)⟨| -> float⟩:\n    return wp.min(f, top)"),
    helper("along", "def ⟨normal_part|project_normal⟩(v: wp.vec3, n: wp.vec3)⟨| -> wp.vec3⟩:\n    return wp.dot(v, n) * n"),
    helper("across", "def ⟨tangent_part|remove_normal⟩(v: wp.vec3, n: wp.vec3)⟨| -> wp.vec3⟩:\n    return v - wp.dot(v, n) * n"),
    helper("squash", "def ⟨regularize|soften_slip⟩(v: wp.vec3, eps: float)⟨| -> wp.vec3⟩:\n    return v / (wp.length(v) + eps)"),
    helper("lesser", "def ⟨first_of|smaller_shape⟩(a: int, b: int)⟨| -> int⟩:\n    return wp.min(a, b)"),
    helper("greater", "def ⟨second_of|larger_shape⟩(a: int, b: int)⟨| -> int⟩:\n    return wp.max(a, b)"),
    helper("code_of", "def ⟨row_major|code_of_pair⟩(a: int, b: int, n: int)⟨| -> int⟩:\n    return a * n + b"),
)  # fmt: skip
