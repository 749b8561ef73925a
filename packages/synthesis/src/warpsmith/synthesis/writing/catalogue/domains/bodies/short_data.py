"""Rows that only the short ideas of the domain `bodies` use: a few more arrays, scalars and one-line helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT33, QUAT, SPATIAL_VECTOR, TRANSFORM, VEC3
from warpsmith.synthesis.writing.ideas.declare import code, data, helper, integer, number

SHORT_PARAMETERS = (
    data("phase", INT, 0, 3, "reset_phases phase reset_state stage", "phase of the reset of each body", "nb"),
    data("touched", INT, 0, 2, "contact_counts touched body_contact_count ncon_body", "number of contacts of each body", "nb"),
    data("joint_state", INT, 0, 3, "joint_states jstate joint_status jnt_state", "state of each joint: free, locked, limited or broken", "nj"),
    data("overload", INT, 0, 6, "overload_steps overload joint_overload n_over", "steps for which each joint has been overloaded", "nj"),
    data("stuck", INT, 0, 8, "stall_steps stall act_stall n_stall", "steps for which each actuator has been saturated", "nu"),
    data("child_num", INT, 0, 3, "child_counts n_child body_child_num num_children", "number of entries in the table of children of each body", "nb", shared=True),
    data("push", SPATIAL_VECTOR, -1.0, 1.0, "disturbances push wrench_in xfrc_rand", "additional force on each body", "nb"),
    data("vel3", VEC3, -1.0, 1.0, "linear_velocities v link_vel lin_vel", "velocity of each body in m/s", "nb"),
    data("omega3", VEC3, -1.0, 1.0, "angular_velocities omega link_omega ang_vel", "angular velocity of each body in rad/s", "nb"),
    data("acc3", VEC3, -2.0, 2.0, "accelerations a body_acc lin_acc", "acceleration of each body in m/s^2", "nb"),
    data("lag", FLOAT, 0.0, 3.0, "phase_offsets phase joint_phase gait_phase", "phase of the motion of each degree of freedom in rad", "nd"),
    data("amp", FLOAT, 0.1, 0.8, "amplitudes amp joint_amp gait_amp", "amplitude of the motion of each degree of freedom", "nd"),
    data("temp", FLOAT, 20.0, 60.0, "temperatures temp motor_temp act_temp", "temperature of each actuator in degrees Celsius", "nu"),
    data("mat_w", MAT33, -0.3, 1.3, "rotation_frames R body_mat xmat", "frame of each body as a matrix", "nb", "near_identity"),
    data("q_save", TRANSFORM, 0.0, 0.0, "saved_poses X_prev body_q_prev pose_prev", "pose of each body before the step", "nb"),
    data("v3_out", VEC3, 0.0, 0.0, "point_velocities v_out site_vel vel_point", "velocity of a point of each body in m/s", "nb"),
    data("a3_out", VEC3, 0.0, 0.0, "net_accelerations a_out body_acc_out acc_out", "linear or angular acceleration of each body", "nb"),
    data("mat_out", MAT33, 0.0, 0.0, "tensors T_out body_tensor mat_new", "tensor of each body", "nb"),
    data("quat_out2", QUAT, 0.0, 0.0, "relative_rotations q_rel rot_rel quat_rel", "rotation of each body relative to its initial one", "nb"),
    data("target_out", FLOAT, 0.0, 0.0, "joint_targets q_des joint_target_out ctrl_target", "target of each degree of freedom", "nd"),
    data("cost_d", FLOAT, 0.0, 0.0, "limit_costs c_lim joint_cost dof_penalty", "cost of each degree of freedom", "nd"),
    data("row_f", FLOAT, 0.0, 0.0, "mass_products M_v qfrc_inertia M_times", "mass matrix times a vector", "nd"),
    data("heat", FLOAT, 0.0, 0.0, "actuator_losses p_loss motor_loss act_heat", "power that each actuator loses in W", "nu"),
    data("class_out", INT, 0, 0, "body_classes class_out body_tag tag_out", "class of each body", "nb"),
    data("dof_class", INT, 0, 0, "dof_classes dof_tag dof_state limit_class", "class of each degree of freedom", "nd"),
    data("child_sum", FLOAT, 0.0, 0.0, "child_totals sum_child child_sum_out below_sum", "sum over the degrees of freedom of the children of each body", "nb"),
    data("table_out", INT, 0, 0, "child_table_out children_out child_ids_out table_new", "children of each body, -1 where there is none", "nb nc"),
    data("grand", INT, 0, 0, "grandchild_counts n_grand two_level_count num_below", "number of bodies two levels below each body", "nb"),
    data("pairs", INT, 0, 0, "coupled_dofs n_coupled dof_pair_count num_related", "number of related degrees of freedom of each body", "nb"),
    data("jkey", INT, 0, 0, "joint_keys key_out joint_sort_key jnt_key", "sort key of each joint", "nj"),
    code("J_FREE", 0, "STATE_FREE JOINT_STATE_FREE UNLOCKED"),
    code("J_LOCKED", 1, "STATE_LOCKED JOINT_STATE_LOCKED LOCKED"),
    code("J_BROKEN", 3, "STATE_BROKEN JOINT_STATE_BROKEN BROKEN"),
    integer("wait", 2, 5, "max_overload wait_steps patience_j break_after", "number of steps that are tolerated"),
    integer("base", 1, 8, "first_id base id_offset start_id", "number of the first body"),
    number("gain_p", 0.5, 4.0, "gain kp p_gain stiffness_gain", "gain of the position"),
    number("gain_d", 0.05, 0.5, "damping_gain kd d_gain velocity_gain", "gain of the velocity"),
    number("fric", 0.05, 0.5, "joint_friction dry_friction frictionloss coulomb", "dry friction of each joint"),
    number("time", 0.0, 2.0, "sim_time t time_now current_time", "time in s"),
    number("freq", 1.0, 4.0, "frequency omega gait_freq angular_freq", "angular frequency in rad/s"),
    number("soft", 0.05, 0.3, "softness eps smoothing blend_width", "width of the transition"),
    number("v_lim", 0.4, 1.2, "velocity_limit v_lim qd_max rate_limit", "largest velocity"),
    number("warn", 0.3, 0.7, "warning_level warn soft_limit near_limit", "share of the range that counts as safe"),
)  # fmt: skip

SHORT_HELPERS = (
    helper("spring", "def ⟨spring_term|p_term⟩(k: float, err: float)⟨| -> float⟩:\n    return k * err"),
    helper("damper", "def ⟨damper_term|d_term⟩(c: float, vel: float)⟨| -> float⟩:\n    return -c * vel"),
    helper("saturate", "def ⟨saturate|clamp_effort⟩(f: float, limit: float)⟨| -> float⟩:\n    return ⟨wp.clamp(f, -limit, limit)|limit * wp.tanh(f / limit)⟩"),
    helper("to_world", "def ⟨to_world|local_to_world⟩(q: wp.quat, v: wp.vec3)⟨| -> wp.vec3⟩:\n    return wp.quat_rotate(q, v)"),
    helper("to_local", "def ⟨to_local|world_to_local⟩(q: wp.quat, v: wp.vec3)⟨| -> wp.vec3⟩:\n    return wp.quat_rotate_inv(q, v)"),
    helper("spin_vel", "def ⟨spin_velocity|lever_velocity⟩(w: wp.vec3, lever: wp.vec3)⟨| -> wp.vec3⟩:\n    return wp.cross(w, lever)"),
    helper("has_flag", "def ⟨has_flag|test_bit⟩(bits: int, flag: int)⟨| -> bool⟩:\n    return (bits & flag) != 0"),
    helper("without", "def ⟨clear_flag|without_flag⟩(bits: int, flag: int)⟨| -> int⟩:\n    return bits & ~flag"),
    helper("tree_key", "def ⟨tree_key|body_key⟩(root: int, depth: int)⟨| -> int⟩:\n    return root * 4 + depth"),
)  # fmt: skip
