"""Locals, loops, extras and helper functions of the domain `environments`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper, local
from warpsmith.synthesis.writing.ideas.parts import Extra

NAMES = {
    "q": "q pos_j angle qj",
    "qd": "qd vel_j rate qdj",
    "want": "q_des target des goal_q",
    "tau": "tau torque effort t_j",
    "limit": "limit tau_max lim bound",
    "a": "act a_j action u",
    "slot": "slot read_slot idx ring_idx",
    "prev": "prev last before a_prev",
    "rate": "delta diff change step_a",
    "mode": "mode drive ctrl kind",
    "heat": "temp t_motor heat warm",
    "frac": "share frac scale_t ratio",
    "rew": "rew reward_sum r total",
    "err": "err lin_err e_xy vel_err",
    "track": "track_rew r_track lin_rew rew_vel",
    "pen": "penalty pen cost c_sum",
    "u": "u d_k diff_k du",
    "d": "dist d gap_len range_d",
    "to_goal": "to_goal delta_goal rel dg",
    "fz": "fz f_n normal_force load",
    "touch": "touch contact on_ground hit",
    "air": "air t_air time_up swing",
    "depth": "depth pen_depth d sink",
    "fn": "fn f_normal force_n lift",
    "ft": "ft f_tangent slide_f drag_f",
    "v": "v vel vel_i v_f",
    "base": "base start offset first",
    "rng": "rng state rng_state",
    "val": "value val x entry",
    "k": "k c idx kk",
    "row": "gx row cx ix_t",
    "col": "gy col cy iy_t",
    "px": "px wx x_s sample_x",
    "py": "py wy y_s sample_y",
    "cs": "c cos_yaw cy cs",
    "sn": "s sin_yaw sy sn",
    "g": "grav g g_body gravity",
    "lv": "v_body lin_b v_b local_vel",
    "av": "w_body ang_b w_b local_ang",
    "t": "t step n_steps length",
    "why": "why reason code term",
    "lvl": "lvl level_i cur row_id",
    "id": "env_r target_env r_env rid",
    "vx": "vx cmd_x fwd c_x",
    "vy": "vy cmd_y side c_y",
    "wz": "wz cmd_yaw turn_rate c_w",
    "x": "x cx col_a px",
    "y": "y cy row_a py",
    "nx": "nx x_next new_x tx",
    "ny": "ny y_next new_y ty",
    "tile": "tile target_tile cell_kind there",
    "pts": "pts reward_i gained r_step",
    "who": "who mark winner_i side",
    "m0": "m0 first c0 a0",
    "drop": "row drop_row r landing_r",
    "chosen": "col c column_i drop_c",
    "run": "best run longest_run n_best",
    "line": "row_sum line s_row line_sum",
    "file": "col_sum s_col file_sum",
    "hit": "hit bitten collided hits_body",
    "served": "served n_served leaving out_cars",
    "empty": "empty open_cells n_free blanks",
    "n": "count n cnt near_count",
    "sum": "total acc sum_n neighbors",
    "hx": "hx head_x x_head sx",
    "hy": "hy head_y y_head sy",
    "face": "face d_new facing heading_i",
    "seg": "seg s_idx part slot_k",
    "wins": "streak_i run len_dir reach",
    "gap": "gap free_cells ahead dist_c",
    "speed": "speed v_new sp cells_ahead",
    "ph": "ph cur_phase signal light_i",
    "tm": "tm since t_phase held_for",
    "sold": "sold sales served n_sold",
    "have": "have on_shelf avail level_i",
    "come": "arriving delivery come_in got",
    "job": "job j_id task cur_job",
    "rest": "rest remaining_i left steps_left",
    "now": "now t_now clock_i time_i",
    "mine": "here own mine cur_state",
    "cellid": "cell_i from_cell at src",
    "dest": "dest to_cell tgt dst",
    "h": "h z_h height_i z",
    "force": "force f_i f load_vec",
}

LOCALS = (
    local("q", "{q}[$e, $j]"),
    local("qd", "{qd}[$e, $j]"),
    local("limit", "{effort}[$j]"),
    local("a", "wp.clamp({act}[$e, $j], -{clip_act}, {clip_act})", "{act}[$e, $j]"),
    local("t", "{steps}[$e]"),
    local("h", "{height}[$e]"),
    local("lvl", "{level}[$e]"),
    local("v", "{lin}[$e]"),
)

LOOPS = ()

EXTRAS = (
    Extra("env_begin", "⟨# environments that wait for others\n|⟩if {status}[$e] == {INACTIVE}:\n    return\n"),
    Extra("env_begin", "if {num_alive}[$e] == 0:\n    return"),
    Extra("env_begin", "# let the robot settle first\nif {steps}[$e] < {grace}:\n    return\n"),
    Extra("joint_begin", "if {broken}[$e] == $j:\n    return"),
    Extra("joint_begin", "⟨# environments that wait for others\n|⟩if {status}[$e] == {INACTIVE}:\n    return\n"),
    Extra("foot_begin", "if {status}[$e] == {INACTIVE}:\n    return"),
    Extra("foot_begin", "if {steps}[$e] < {grace}:\n    return"),
    Extra("board_begin", "if {status}[$e] == {INACTIVE}:\n    return"),
    Extra("board_begin", "# no games on the first level\nif {level}[$e] == 0:\n    return\n"),
    Extra("junction_begin", "if {status}[$e] == {INACTIVE}:\n    return"),
    Extra("junction_begin", "# junctions that are out of order\nif {outage}[$e, $n] > 6:\n    return\n"),
    Extra("torque", "$tau = $tau * {strength}[$e, $j]"),
    Extra("torque", "# viscous friction of the gear\n$tau = $tau - {kd}[$j] * 0.1 * {qd}[$e, $j]"),
    Extra("torque", "if {temp}[$e, $j] > {hot_temp}:\n    $tau = $tau * 0.5"),
    Extra("reward_end", "if {done}[$e]:\n    $rew = $rew - {fall_cost}"),
    Extra("reward_end", "$rew = wp.max($rew, 0.0)"),
    Extra("reward_end", "$rew = $rew * {dt}"),
    Extra("reward_end", "# no reward while the motors are off\nif {stuck}[$e]:\n    $rew = 0.0"),
)

HELPERS = (
    helper(
        "limit_to",
        """
        def ⟨saturate|limit|clamp_symmetric⟩(x: float, bound: float)⟨| -> float⟩:
            return wp.clamp(x, -bound, bound)
        """,
        """
        def ⟨saturate|limit_abs⟩(x: float, bound: float):
            if x > bound:
                return bound
            if x < -bound:
                return -bound
            return x
        """,
    ),
    helper(
        "kernel_reward",
        """
        def ⟨exp_reward|tracking_kernel|gauss⟩(err_sq: float, sigma: float)⟨| -> float⟩:
            # 1 for a perfect result, 0 far away
            return wp.exp(-err_sq / sigma)
        """,
        """
        def ⟨inverse_reward|rational_kernel⟩(err_sq: float, sigma: float):
            return 1.0 / (1.0 + err_sq / sigma)
        """,
    ),
    helper(
        "outside",
        """
        def ⟨limit_violation|outside⟩(x: float, lo: float, hi: float)⟨| -> float⟩:
            # distance beyond the limits, 0 inside
            return wp.max(lo - x, 0.0) + wp.max(x - hi, 0.0)
        """,
    ),
    helper(
        "step_x",
        """
        def ⟨step_x|dx_of|col_step⟩(a: int)⟨| -> int⟩:
            if a == {LEFT}:
                return -1
            if a == {RIGHT}:
                return 1
            return 0
        """,
    ),
    helper(
        "step_y",
        """
        def ⟨step_y|dy_of|row_step⟩(a: int)⟨| -> int⟩:
            if a == {UP}:
                return -1
            if a == {DOWN}:
                return 1
            return 0
        """,
    ),
    helper(
        "line_winner",
        """
        def ⟨line_winner|same_marks|owner_of_line⟩(a: int, b: int, c: int)⟨| -> int⟩:
            # the mark that fills the line, or 0
            if a == b and b == c:
                return a
            return 0
        """,
    ),
    helper(
        "wrap",
        """
        def ⟨wrap|wrap_index|torus⟩(i: int, n: int)⟨| -> int⟩:
            return (i + n) % n
        """,
        """
        def ⟨wrap_around|periodic⟩(i: int, n: int):
            if i < 0:
                return i + n
            if i >= n:
                return i - n
            return i
        """,
    ),
    helper(
        "count_run",
        """
        def ⟨count_run|run_length⟩(board: wp.array3d(dtype=int), e: int, y: int, x: int, dy: int, dx: int, who: int)⟨| -> int⟩:
            # discs of the same player in one direction, without the first
            n = int(0)
            for k in range(1, 4):
                yy = y + dy * k
                xx = x + dx * k
                if yy < 0 or yy >= {H} or xx < 0 or xx >= {W}:
                    break
                if board[e, yy, xx] != who:
                    break
                n += 1
            return n
        """,
    ),
)
