"""Ideas of the domain `bodies`: sums over children and degrees of freedom, orientations, power."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

COMPOSITE = (
    Idea(
        "child_masses",
        "composite_masses sum_child_masses gather_children accumulate_children",
        "sum ⟨1:the mass|the moment|the mass and the moment⟩ of each body and its children",
        """
        hook body
        ⟨1:$sum = float(0.0)
        $sum += {mass}[$b]
        each child:
            ⟨$sum += {mass}[$child]|if {body_type}[$child] == {DYNAMIC}:
                $sum += {mass}[$child]|if {flags}[$child] & {SLEEPING} == 0:
                $sum += {mass}[$child]⟩
        {child_mass}[$b] = $sum
        |$sum = {xpos}[$b] * {mass}[$b]
        each child:
            ⟨$sum += {xpos}[$child] * {mass}[$child]|$c = {xpos}[$child] + wp.quat_rotate({xquat}[$child], {com}[$child])
            $sum += $c * {mass}[$child]⟩
        {child_mom}[$b] = $sum
        |$sum = {xpos}[$b] * {mass}[$b]
        $m_sum = float(0.0)
        $m_sum += {mass}[$b]
        each child:
            $mc = {mass}[$child]
            ⟨if {flags}[$child] & {SLEEPING} == 0:
                # children that sleep do not count
                $m_sum += $mc
                $sum += {xpos}[$child] * $mc
            |$m_sum += $mc
            $sum += {xpos}[$child] * $mc
            |if {body_type}[$child] != {STATIC}:
                $m_sum += $mc
                $sum += wp.transform_point({body_q}[$child], {com}[$child]) * $mc⟩
        {child_mass}[$b] = $m_sum
        {child_mom}[$b] = $sum
        ⟩
        """,
        threads="b",
        kinds="control_flow combined reduction sparse transform",
    ),
    Idea(
        "child_rates",
        "sum_child_velocities child_joint_rates accumulate_joint_rates subtree_rates",
        "sum the joint velocities of all degrees of freedom of the children of each body",
        """
        hook body
        $sum = wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), wp.vec3(0.0, 0.0, 0.0))
        each child:
            ⟨$from = {dof_adr}[$child]
            $to = {dof_adr}[$child + 1]
            for $dof in range($from, $to):
            |for $dof in range({dof_adr}[$child], {dof_adr}[$child + 1]):
            ⟩    ⟨$sum += {S}[$dof] * {dqd}[$dof]
                |if {limited}[$dof] == 0:
                    $sum += {S}[$dof] * {dqd}[$dof]
                |if {mode}[$dof] != {EFFORT}:
                    # driven by position or velocity
                    $sum += {S}[$dof] * {dqd}[$dof]
                |# at the end of the step
                $rate = {dqd}[$dof] ⟨+ {tau}[$dof] / (1.0 + {armature}[$dof]) * {dt}|/ (1.0 + {kd}[$dof] * {dt})⟩
                $sum += {S}[$dof] * $rate
                ⟩
        {link_vel}[$b] = $sum
        """,
        threads="b",
        kinds="nested_loop combined spatial sparse reduction",
    ),
    Idea(
        "dof_momentum",
        "mul_mass_matrix apply_mass_matrix mass_matrix_product mul_m",
        "multiply the mass matrix by ⟨1:the joint velocities|the errors of the velocities|the distance to the targets⟩",
        """
        hook dof
        $sum = float(0.0)
        ⟨2:for $k in range({nd}):
            if {ancestor}[$d, $k] == 0⟨| and $k != $d⟩:
                continue
            $sum += {M_in}[$d, $k] * ⟨1:{dqd}[$k]|({target}[$k] - {dqd}[$k])|({target}[$k] - {dq}[$k])⟩
        |for $k in range({nd}):
            $entry = {M_in}[$d, $k]
            if $k == $d:
                $entry += {armature}[$d]
            $sum += $entry * ⟨1:{dqd}[$k]|({target}[$k] - {dqd}[$k])|({target}[$k] - {dq}[$k])⟩
        |for $k in range({nj}):
            ⟨$first = {qd_start}[$k]
            |$first = wp.min({qd_start}[$k], {nd} - 1)
            ⟩⟨$last = wp.min($first + @dof_width({jtype}[$k]), {nd})
            for $i in range($first, $last):
            |for $i in range($first, wp.min($first + @dof_width({jtype}[$k]), {nd})):
            ⟩    $sum += {M_in}[$d, $i] * ⟨1:{dqd}[$i]|({target}[$i] - {dqd}[$i])|({target}[$i] - {dq}[$i])⟩
        ⟩{bias_f}[$d] = $sum
        """,
        threads="d",
        kinds="nested_loop control_flow linear_algebra reduction",
    ),
    Idea(
        "orientation",
        "base_orientation body_euler_angles compute_projected_gravity orientation_features",
        "compute ⟨1:roll, pitch and yaw|the heading and the direction of gravity|the heading⟩ of each body",
        """
        hook body
        ⟨$q = {xquat}[$b]|$q = wp.transform_get_rotation({body_q}[$b])⟩
        ⟨1:$roll = wp.atan2(2.0 * ($q[3] * $q[0] + $q[1] * $q[2]), 1.0 - 2.0 * ($q[0] * $q[0] + $q[1] * $q[1]))
        # clamped, because rounding may exceed 1
        $pitch = wp.asin(wp.clamp(2.0 * ($q[3] * $q[1] - $q[2] * $q[0]), -0.99, 0.99))
        ⟨$yaw = wp.atan2(2.0 * ($q[3] * $q[2] + $q[0] * $q[1]), 1.0 - 2.0 * ($q[1] * $q[1] + $q[2] * $q[2]))
        |$fwd = wp.quat_rotate($q, wp.vec3(1.0, 0.0, 0.0))
        $yaw = wp.atan2($fwd[1], $fwd[0])⟩
        {euler}[$b] = wp.vec3($roll, $pitch, $yaw)
        ⟨if {depth}[$b] == 0:
            # only for bases
            {heading}[$b] = $yaw
        |⟩|$fwd = wp.quat_rotate($q, wp.vec3(1.0, 0.0, 0.0))
        {heading}[$b] = wp.atan2($fwd[1], $fwd[0])
        ⟨if {body_type}[$b] == {DYNAMIC}:
            {grav_b}[$b] = wp.quat_rotate_inv($q, wp.vec3(0.0, 0.0, -1.0))
        else:
            {grav_b}[$b] = wp.vec3(0.0, 0.0, -1.0)
        |{grav_b}[$b] = wp.quat_rotate_inv($q, wp.vec3(0.0, 0.0, -1.0))
        |{grav_b}[$b] = wp.quat_rotate_inv($q, {gravity}[0]) / 9.81⟩
        |⟨$yaw = wp.atan2(2.0 * ($q[3] * $q[2] + $q[0] * $q[1]), 1.0 - 2.0 * ($q[1] * $q[1] + $q[2] * $q[2]))
        |$yaw = 2.0 * wp.atan2($q[2], $q[3])⟩
        ⟨if {parent}[$b] >= 0:
            # relative to the parent
            $qp = {xquat}[{parent}[$b]]
            $yaw -= wp.atan2(2.0 * ($qp[3] * $qp[2] + $qp[0] * $qp[1]), 1.0 - 2.0 * ($qp[1] * $qp[1] + $qp[2] * $qp[2]))
        |⟩{heading}[$b] = $yaw
        ⟩
        """,
        threads="b",
        kinds="math quaternion",
    ),
    Idea(
        "power",
        "joint_power compute_dof_power mechanical_power energy_penalty",
        "compute the mechanical power of each degree of freedom⟨1: and add up the work|| and add up the work of the drives⟩",
        """
        hook dof
        ⟨$p = {tau}[$d] * $dqdi
        |$p = ({tau}[$d] - {kd}[$d] * $dqdi) * $dqdi
        |$p = ({ke}[$d] * ({target}[$d] - $dqi) - {kd}[$d] * $dqdi) * $dqdi
        ⟩⟨if $p < 0.0:
            # the drives do not recover energy
            $p = 0.0
        |$p = wp.abs($p)
        |# losses in the winding
        $p += 0.05 * {tau}[$d] * {tau}[$d]
        |⟩{power}[$d] = $p
        ⟨1:wp.atomic_add({work}, 0, $p * {dt})
        ||if {mode}[$d] != 0:
            wp.atomic_add({work}, 0, $p * {dt})⟩
        """,
        threads="d",
        kinds="arithmetic",
    ),
)
