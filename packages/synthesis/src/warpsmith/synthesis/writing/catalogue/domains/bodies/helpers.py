"""Locals, loops, extras and helper functions of the domain `bodies`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper, local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

LOCALS = (
    local("X", "{body_q}[$b]"),
    local("p", "wp.transform_get_translation($X)"),
    local("r", "wp.transform_get_rotation($X)"),
    local("qd", "{body_qd}[$b]"),
    local("w", "wp.spatial_top($qd)"),
    local("v", "wp.spatial_bottom($qd)"),
    local("torque", "wp.spatial_top({body_f}[$b])"),
    local("force", "wp.spatial_bottom({body_f}[$b])"),
    local("m", "{mass}[$b]"),
    local("xcom", "wp.transform_point($X, {com}[$b])", "$p + wp.quat_rotate($r, {com}[$b])"),
    local("R", "wp.quat_to_matrix($r)"),
    local("par", "{parent}[$b]"),
    local("typ", "{jtype}[$j]"),
    local("child", "{jchild}[$j]"),
    local("par_j", "{jparent}[$j]"),
    local("q0", "{q_start}[$j]"),
    local("qd0", "{qd_start}[$j]"),
    local("ax", "{axis}[$j]"),
    local("dqi", "{dq}[$d]"),
    local("dqdi", "{dqd}[$d]"),
    local("lo", "{lower}[$d]"),
    local("hi", "{upper}[$d]"),
    local("X_wc", "{body_q}[$child] * {X_c}[$j]", "wp.transform_multiply({body_q}[$child], {X_c}[$j])"),
    local(
        "X_wp",
        "$X_wp = {X_p}[$j]\nif $par_j >= 0:\n    $X_wp = {body_q}[$par_j] * $X_wp",
        "# joints without a parent are fixed to the world\n$X_wp = {X_p}[$j]\nif $par_j != -1:\n    $X_wp = wp.transform_multiply({body_q}[$par_j], {X_p}[$j])",
    ),
    local("body", "{s_body}[$s]"),
    local("ref", "{s_ref}[$s]"),
    local("dof", "{u_dof}[$u]"),
)

LOOPS = (
    loop(
        "child",
        "for $k in range({nc}):\n    $child = {children}[$b, $k]\n    if $child < 0:\n        continue\n    body",
        "for $k in range({nc}):\n    $child = {children}[$b, $k]\n    if $child >= 0:\n        body",
        "for $k in range({nc}):\n    $child = {children}[$b, $k]\n    # unused entries are -1\n    if $child == -1 or $child == $b:\n        continue\n    body",
    ),
    loop(
        "body_dof",
        "for $dof in range({dof_adr}[$b], {dof_adr}[$b + 1]):\n    body",
        "$begin = {dof_adr}[$b]\n$end = {dof_adr}[$b + 1]\nfor $dof in range($begin, $end):\n    body",
        "$begin = {dof_adr}[$b]\n$count = {dof_adr}[$b + 1] - $begin\nfor $k in range($count):\n    $dof = $begin + $k\n    body",
    ),
)

EXTRAS = (
    Extra("body", "if {flags}[$b] & {ACTIVE} == 0:\n    return\n"),
    Extra("body", "# sleeping bodies do not take part\nif {awake}[$b] == 0:\n    return\n"),
    Extra("body", "$env = {env}[$b]\nif $env >= 0 and not {env_active}[$env]:\n    return\n"),
    Extra("body", "if {env}[$b] == -1:\n    return\n"),
    Extra("joint", "if not {enabled}[$j]:\n    return\n"),
    Extra("joint", "# joints of bodies that sleep are skipped\nif {awake}[{jchild}[$j]] == 0:\n    return\n"),
    Extra("joint", "if {flags}[{jchild}[$j]] & {ACTIVE} == 0:\n    return\n"),
    Extra("dof", "if {awake}[{dof_body}[$d]] == 0:\n    return\n"),
    Extra("dof", "if not {enabled}[{dof_joint}[$d]]:\n    return\n"),
    Extra("dof", "# prescribed bodies move without forces\nif {body_type}[{dof_body}[$d]] == {KINEMATIC}:\n    return\n"),
    Extra("velocity", "$w1 = $w1 * (1.0 - {ang_damp} * {dt})"),
    Extra("velocity", "$v1 = $v1 / (1.0 + {lin_damp} * {dt})"),
    Extra("velocity", "# limit the angular speed\n$speed = wp.length($w1)\nif $speed > {w_max}:\n    $w1 = $w1 * ({w_max} / $speed)\n"),
    Extra("velocity", "if wp.length_sq($v1) > {v_max} * {v_max}:\n    $v1 = wp.normalize($v1) * {v_max}\n"),
    Extra("velocity", "# damping acts in the frame of the body\n$w1 = wp.quat_rotate($r, wp.quat_rotate_inv($r, $w1) * (1.0 - {ang_damp} * {dt}))"),
    Extra("tau", "$tau = wp.clamp($tau, -{effort}[$d], {effort}[$d])"),
    Extra("tau", "# dry friction of the joint\n$tau -= {fric} * $dqdi / (0.1 + wp.abs($dqdi))"),
    Extra("tau", "$tau += {tau}[$d]"),
)  # fmt: skip

HELPERS = (
    helper(
        "limit_force",
        """
        def joint_limit_force(q: float, qd: float, lower: float, upper: float, ke: float, kd: float)⟨| -> float⟩:
            # spring and damper beyond the limits, nothing between them
            f = float(0.0)
            if q < lower:
                f = ke * (lower - q) - kd * wp.min(qd, 0.0)
            elif q > upper:
                f = ke * (upper - q) - kd * wp.max(qd, 0.0)
            return f
        """,
        """
        def ⟨eval_limit|limit_torque|apply_limit⟩(q: float, qd: float, lower: float, upper: float, ke: float, kd: float):
            if q < lower:
                return ke * (lower - q)⟨ - kd * qd|⟩
            if q > upper:
                return ke * (upper - q)⟨ - kd * qd|⟩
            return 0.0
        """,
    ),
    helper(
        "drive_force",
        """
        def ⟨joint_drive|eval_drive|drive_torque⟩(mode: int, target: float, q: float, qd: float, ke: float, kd: float) -> float:
            if mode == {POSITION}:
                return ke * (target - q) - kd * qd
            elif mode == {VELOCITY}:
                return kd * (target - qd)
            elif mode == {EFFORT}:
                return target
            # a mode of 0 is a joint without a drive
            return 0.0
        """,
        """
        def ⟨compute_drive_force|drive_effort|actuate_dof⟩(mode: int, target: float, q: float, qd: float, ke: float, kd: float):
            f = float(0.0)
            if mode == {POSITION} or mode == {VELOCITY}:
                # both damp the velocity
                goal = wp.where(mode == {VELOCITY}, target, 0.0)
                f = kd * (goal - qd)
                if mode == {POSITION}:
                    f = f + ke * (target - q)
            elif mode == {EFFORT}:
                f = target
            return f
        """,
    ),
    helper(
        "quat_step",
        """
        def ⟨integrate_rotation|quat_integrate|step_quat⟩(q: wp.quat, w: wp.vec3, dt: float)⟨| -> wp.quat⟩:
            # first order: q' = 0.5 * w * q
            dq = wp.quat(w, 0.0) * q
            return wp.normalize(q + dq * (0.5 * dt))
        """,
        """
        def ⟨rotate_by_velocity|advance_rotation|quat_exp_step⟩(q: wp.quat, w: wp.vec3, dt: float):
            speed = wp.sqrt(wp.dot(w, w) + 1.0e-6)
            dq = wp.quat_from_axis_angle(w / speed, speed * dt)
            return wp.normalize(dq * q)
        """,
    ),
    helper(
        "vel_at",
        """
        def ⟨point_velocity|velocity_at⟩(v: wp.vec3, w: wp.vec3, lever: wp.vec3)⟨| -> wp.vec3⟩:
            return v + wp.cross(w, lever)
        """,
    ),
    helper(
        "rotate_inertia",
        """
        def ⟨rotate_inertia|world_inertia|inertia_to_world⟩(q: wp.quat, I: wp.mat33)⟨| -> wp.mat33⟩:
            R = wp.quat_to_matrix(q)
            return R * I * wp.transpose(R)
        """,
        """
        def ⟨transform_inertia|congruence|rotated_inertia⟩(q: wp.quat, inertia: wp.mat33):
            rot = wp.quat_to_matrix(q)
            return rot @ inertia @ wp.transpose(rot)
        """,
    ),
    helper(
        "quat_error",
        """
        def ⟨rotation_error|quat_difference|angular_error⟩(a: wp.quat, b: wp.quat)⟨| -> wp.vec3⟩:
            # small-angle vector of the rotation from b to a, by the shorter way
            d = a * wp.quat_inverse(b)
            s = 2.0
            if d[3] < 0.0:
                s = -2.0
            return wp.vec3(d[0], d[1], d[2]) * s
        """,
        """
        def ⟨orientation_error|quat_sub|quat_to_rotvec⟩(a: wp.quat, b: wp.quat):
            rel = wp.quat_inverse(b) * a
            axis = wp.vec3(rel[0], rel[1], rel[2])
            return 2.0 * axis * wp.sign(rel[3])
        """,
    ),
    helper(
        "dof_width",
        """
        def ⟨joint_dof_count|dof_width|num_joint_dofs⟩(jtype: int) -> int:
            if jtype == {FREE}:
                return 6
            if jtype == {BALL}:
                return 3
            if jtype == {UNIVERSAL}:
                return 2
            if jtype == {FIXED}:
                return 0
            return 1
        """,
        """
        def ⟨get_dof_dim|joint_dim|dofs_of_type⟩(jtype: int):
            \"\"\"Return the number of degrees of freedom of a joint type.\"\"\"
            dim = int(1)
            if jtype == {FREE}:
                dim = 6
            elif jtype == {BALL}:
                dim = 3
            elif jtype == {UNIVERSAL}:
                dim = 2
            elif jtype == {FIXED}:
                dim = 0
            return dim
        """,
    ),
    helper(
        "set_bit",
        """
        def ⟨set_bit|mark_bit⟩(mask: int, k: int) -> int:
            return mask | (1 << (k % 31))
        """,
        """
        def ⟨add_to_mask|with_bit⟩(mask: int, index: int):
            # bit 31 is the sign
            bit = index % 31
            return mask | (1 << bit)
        """,
    ),
    helper(
        "set_flag",
        """
        def ⟨set_flag|raise_flag|with_flag⟩(flags: int, flag: int) -> int:
            return flags | flag
        """,
    ),
)
