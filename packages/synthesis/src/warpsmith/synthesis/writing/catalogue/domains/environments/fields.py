"""Rows of the domain `environments` for short kernels: rotations as matrices, vectors in the frame of the robot, gait, weights."""

from __future__ import annotations

from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MAT33, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, integer, number

FIELDS = (
    data("R", MAT33, -0.3, 1.3, "base_rotation R root_mat xmat", "rotation matrix of each robot", "envs", "near_identity"),
    data("I_body", MAT33, -0.1, 1.1, "body_inertia I_b inertia_local ximat", "inertia of each robot in its own frame", "envs", "near_identity"),
    data("R_out", MAT33, 0.0, 0.0, "rotation_out R_new mat_out world_inertia", "resulting matrix of each robot", "envs"),
    data("I_sum", MAT33, 0.0, 0.0, "inertia_sum I_total composite_inertia crb", "sum of the inertias", "1", start=0.0),
    data("local_out", VEC3, 0.0, 0.0, "local_velocity v_local base_vel_b lin_b", "velocity in the frame of the robot in m/s", "envs"),
    data("up_out", VEC3, 0.0, 0.0, "projected_gravity g_b gravity_b up_vec", "direction of gravity in the frame of the robot", "envs"),
    data("to_goal", VEC3, 0.0, 0.0, "goal_delta to_goal goal_vec rel_goal", "vector from each robot to its goal in m", "envs"),
    data("impulse", VEC3, -0.5, 0.5, "impulses dv kick velocity_kick", "change of the velocity of each robot in m/s", "envs"),
    data("gait", FLOAT, 0.0, 6.2, "gait_phase phi gait clock_phase", "phase of the gait of each robot in rad", "envs"),
    data("gait_out", FLOAT, 0.0, 0.0, "gait_signal gait_obs phase_signal clock_out", "signal of the gait", "envs"),
    data("cost", FLOAT, 0.0, 0.0, "costs cost penalty smoothness_cost", "cost of each environment", "envs"),
    data("load", FLOAT, 0.0, 0.0, "contact_load load_sum total_load f_sum", "sum of the contact forces in N", "envs"),
    data("tiles_out", INT, 0, 0, "tile_counts ntiles counts_out board_count", "number of tiles of each board", "envs"),
    data("pot", INT, -4, 12, "credits balance coins bank", "credits of each environment", "envs"),
    data("standing_cmd", BOOL, 0, 1, "stand_command stand_cmd is_stand", "whether each robot is told to stand", "envs"),
    number("w_dist", 0.2, 1.5, "distance_scale w_dist dist_weight", "weight of the distance"),
    number("sharp", 0.3, 2.0, "sharpness k_sharp width", "width of the kernel"),
    number("gain_p", 2.0, 20.0, "p_gain kp_all stiffness_scale", "gain of the position error"),
    number("gain_d", 0.1, 1.0, "d_gain kd_all damping_scale", "gain of the velocity"),
    number("freq", 1.0, 4.0, "gait_freq omega frequency", "frequency of the gait in rad/s"),
    number("step_dt", 0.005, 0.05, "ctrl_dt policy_dt dt_s", "length of a step in s"),
    number("discount", 0.9, 0.99, "discount gamma gae_gamma", "discount of later rewards"),
    number("cool", 0.1, 1.2, "cooling_rate k_cool cooling", "rate of cooling in 1/s"),
    integer("every", 2, 4, "interval every decimation", "steps between two updates"),
    integer("reward_id", 1, 4, "pickup_value gain_points prize", "points of a tile"),
    integer("first_env", 0, 9, "first_env env_offset start_env", "first environment that takes part"),
    integer("tiles_goal", 6, 14, "tile_goal max_tiles quota", "number of tiles that matters"),
    integer("up_far", 50, 80, "up_distance far_enough promote_at", "distance for the next level in cm"),
    integer("down_near", 15, 35, "down_distance too_short demote_at", "distance for the level before in cm"),
    number("near", 2.2, 3.5, "near_distance arrive_dist d_near", "distance at which the goal counts as reached in m"),
    integer("used_rows", 4, 6, "rows_used height_used num_rows", "number of rows in use"),
    integer("used_cols", 4, 7, "cols_used width_used num_cols", "number of columns in use"),
    integer("used_feet", 1, 2, "feet_used num_stance nfeet", "number of feet that are read"),
    integer("used_bodies", 2, 4, "bodies_used nbodies body_limit", "number of bodies that are read"),
    integer("used_dofs", 4, 6, "dofs_used leg_dofs act_dofs", "number of joints that are read"),
    integer("used_steps", 3, 4, "history_used num_past past_len", "number of steps that are read"),
)  # fmt: skip
